package sandbox

// pageStyle is the CSS of all pages. Browsers without :has show the fields of all choices.
const pageStyle = `*{box-sizing:border-box}
body{font:1rem/1.5 system-ui,sans-serif;margin:0;color:#16181d;background:#eef0f3}
main{max-width:36rem;margin:0 auto;padding:1.5rem;background:#fff;min-height:100vh}
@media(min-width:40rem){main{margin:2rem auto;min-height:0;border:1px solid #c3c8d0;border-radius:.5rem;padding:2rem}}
h1{font-size:1.6rem;line-height:1.25;margin:1.25rem 0 .75rem}
h2{font-size:1.1rem;margin:0 0 .25rem}
h1,p,dd,li{overflow-wrap:anywhere}
.note{margin:0;padding:.5rem .75rem;border-left:.375rem solid #a15c00;background:#fff3d9}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.25rem 1.5rem;margin:1rem 0}
dt{color:#4a505c}
dd{margin:0;font-weight:600}
fieldset{min-width:0;margin:1.5rem 0 0;padding:.5rem 1rem 1rem;border:1px solid #c3c8d0;border-radius:.375rem}
legend{font-weight:600;padding:0 .375rem}
label{display:block;margin:.75rem 0 .25rem}
input:not([type=radio]){font:inherit;width:100%;padding:.4rem .6rem;border:1px solid #5b6270;border-radius:.25rem;color:inherit;background:#fff}
input.short{max-width:8rem;display:block}
input[aria-invalid]{border:2px solid #b3001b}
.choice{position:relative;margin:.5rem 0 0;padding-left:2rem}
.choice input{position:absolute;left:.25rem;top:.3rem;width:1.1rem;height:1.1rem;margin:0;accent-color:#1d4ed8}
.choice label{margin:0}
.does{margin:0;color:#4a505c;font-size:.9rem;line-height:1.35}
.typed{padding-left:2rem}
button{font:inherit;font-weight:600;margin:1.25rem .75rem 0 0;padding:.6rem 1.5rem;border:2px solid #1d4ed8;border-radius:.375rem;color:#1d4ed8;background:#fff;cursor:pointer}
button:first-of-type{color:#fff;background:#1d4ed8}
a{color:#1d4ed8}
:focus-visible{outline:3px solid #f0a020;outline-offset:2px}
.errors{margin:1rem 0 0;padding:.75rem 1rem;border:2px solid #b3001b;border-radius:.375rem}
.errors ul{margin:0;padding-left:1.25rem}
.errors a,.error{color:#b3001b}
.error{margin:0 0 .25rem;font-weight:600}
@supports selector(:has(a)){
form:has(#channel-paybytransfer:checked) #card,form:not(:has(#card-typed:checked)) .typed{display:none}
}`
