package cli

import "paydesk/api/webhook"

// webhookTopic has the line of ssh from where the receiver is, and is no file of the manual therefore.
func webhookTopic() string {
	return `A webhook says that a payment has settled. Nobody signs it, and whoever learns the address can post one: it is a hint. paydesk
keeps it and asks the status endpoint about its reference; only that answer counts. The verdict on a webhook:

  waiting          the service will be asked
  agrees           it reports what the webhook says
  no amount        it reports the same status, and no amount
  disagrees        it reports another: PENDING where the webhook says paid
  unknown          it does not know the payment
  not asked        it could not be asked; paydesk webhook show says why
  not understood   there is nothing to ask about

A webhook that said paid before the service did keeps that mark. Payments known here are asked about at once, others one a
second. The same content is one webhook with several deliveries. A card number or a key in one is masked before it is
stored, and such a webhook is not forwarded. When webhook_limit is reached, the oldest are dropped.

--where of paydesk webhook list, webhook replay and listen, and --forward-to 'URL where QUERY' search as paydesk help
query says, with these fields:

  verdict:disagrees      the verdict
  event:payment.failed   its name; status:failed is the status that it says
  answer:pending         the status that the service answered
  reference:P5KQ*        and amount:>100, currency:gbp, day:7d
  is:forwarded           every target has accepted it (2xx)
  is:undelivered         the rest; is:early, is:redelivered, is:masked too

  paydesk webhook replay --where is:undelivered --to http://127.0.0.1:3000/hooks
  paydesk listen --forward-to 'http://127.0.0.1:3000/ where currency:gbp'

A target gets what meets its query on arrival, before verdict and answer are known. --forward-to and replay --to send to this
machine; other targets are named in the profile, exactly as used: webhook_targets = ["https://staging.example/hooks"].
No redirect is followed, and nothing is sent twice by itself.

Webhooks are received on this machine, at the URL that paydesk webhook path prints. A sender elsewhere reaches it through a host
of yours, and a line for nginx or Caddy there:

  ` + webhook.TunnelLine(webhook.DefaultAddress, "") + `
  location /hooks/ { proxy_pass http://127.0.0.1:8425; }
  reverse_proxy /hooks/* 127.0.0.1:8425

As a service, paydesk listen is ~/.config/systemd/user/paydesk-listen.service, which systemctl --user enable --now paydesk-listen
starts and loginctl enable-linger keeps:

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

There the key comes from a command or a credential: key = "file" and key_file = "$CREDENTIALS_DIRECTORY/shop", with
LoadCredential=shop:/home/ada/.secrets/shop.key under [Service]. Without a key, webhooks are kept until a console that has
one checks them.`
}
