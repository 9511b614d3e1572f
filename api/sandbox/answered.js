const told = document.getElementById("answered").dataset;
const message = {source: "paydesk-sandbox", reference: told.reference, answer: told.answer};
for (const shop of [window.opener, window.parent]) if (shop && shop !== window) shop.postMessage(message, "*");
if (window.parent === window) window.close();
