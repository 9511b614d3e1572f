package cli

import "paydesk/api/webhook"

// webhookTopic is what a webhook is worth, and how it gets here.
func webhookTopic() string {
	return `With a webhook the service says that a payment has settled. Nobody signs it, and it has no ID: who learns the address can
post one. So it is a hint. paydesk keeps it, asks the status endpoint about its reference, and only that answer counts. What an
event says is called unverified, or what it claims. The verdict is what the service says about it:

  waiting          the service will be asked
  agrees           it reports what the event claims
  no amount        it reports the status in the event, and states no amount
  disagrees        it reports something else: PENDING where the event says paid
  unknown          it does not know the payment
  not asked        it could not be asked, and never answered
  not understood   there is nothing to ask about; the event is kept as it came

A verdict stands while the service cannot be asked again: paydesk webhook show says why not, and it is asked later. An event
that claimed a success before the service reported one keeps that mark for good.

Payments that are known here are asked about at once; of the others, which anybody can make up, one a second. Events with
the same content are one event with several deliveries. A card number or a key in one is masked before it is stored;
such an event is not sent on. When webhook_limit is reached, the oldest are dropped.

--where of paydesk webhook list, webhook replay and listen, and --forward-to 'URL where QUERY' take the language of paydesk
help query, with these fields:

  verdict:disagrees      what the service says about the event
  event:payment.failed   its name; status:failed is the status that it claims
  answer:pending         the status that the service answered
  reference:P5KQ*        and amount:>100, currency:gbp, day:7d, as elsewhere
  is:forwarded           every target it was sent to has accepted it (2xx)
  is:undelivered         the rest; is:early, is:redelivered, is:masked too

  paydesk webhook replay --where is:undelivered --to http://127.0.0.1:3000/hooks
  paydesk listen --forward-to 'http://127.0.0.1:3000/ where currency:gbp'

A target is sent what meets its query when it arrives. The verdict and the answer come later, so that no such query has them.

Webhooks are received on this machine only, at the URL that paydesk webhook path prints: whoever knows its path can post.
Give a sender elsewhere a way here through a host that it can reach:

  ` + webhook.TunnelLine(webhook.DefaultAddress, "") + `

On that host a web server with a certificate passes the path on, such as nginx or Caddy, in one of these lines:

  location /hooks/ { proxy_pass http://127.0.0.1:8425; }
  reverse_proxy /hooks/* 127.0.0.1:8425

--forward-to and replay --to send to this machine without a question. Targets elsewhere are named in the profile, exactly as
they are used: webhook_targets = ["https://staging.example/hooks"]. No redirect is followed, and nothing is sent twice by itself.

paydesk listen runs as a service of systemd, beside consoles, which show what it receives. Write this to
~/.config/systemd/user/paydesk-listen.service, and start it with systemctl --user enable --now paydesk-listen; loginctl
enable-linger keeps it running while nobody is logged in:

  [Unit]
  Description=Webhooks of paydesk

  [Service]
  Type=notify
  ExecStart=/usr/local/bin/paydesk --profile shop listen
  Restart=on-failure
  RestartSec=5
  SuccessExitStatus=143

  [Install]
  WantedBy=default.target

While a console receives at the same address, it tries again every five seconds. Nobody can type a key there: it comes from a command (key = "command"), or from a file or credential (key = "file",
key_file = "$CREDENTIALS_DIRECTORY/shop") with this line under [Service]:

  LoadCredential=shop:/home/ada/.secrets/shop.key

Without a key, webhooks are received and kept all the same, and a console that has it checks them.`
}
