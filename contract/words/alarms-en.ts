import type { AlarmKind } from '#contract/mails.ts'

export type AlarmWords = { begun: string; over: string; about: string; todo: string }

export const ALARM_WHY_EN = 'Reason'
export const ALARM_SINCE_EN = 'Began'

export const ALARMS_EN: Record<AlarmKind, AlarmWords> = {
  'link-down': {
    begun: 'The link to a supplier is down',
    over: 'The link to the supplier is up again',
    about: 'Supplier',
    todo: 'The supplier sells nothing until the link is back. `supplier:events` shows its history. `supplier:test` shows what works now.',
  },
  'set-aside': {
    begun: 'A supplier doesn’t respond and is set aside',
    over: 'The supplier is selling again',
    about: 'Supplier',
    todo: 'We try the supplier with single purchases. `supplier:show` shows its errors. `supplier:restore` brings it back at once.',
  },
  'share-low': {
    begun: 'A supplier delivers far fewer codes than usual and is set aside',
    over: 'The supplier that delivered too few codes is selling again',
    about: 'Supplier',
    todo: 'We try the supplier with single purchases. `supplier:events` shows the figures. `supplier:restore` brings it back at once.',
  },
  'stock-low': {
    begun: 'A supplier is running out of numbers',
    over: 'The supplier has enough numbers again',
    about: 'Supplier',
    todo: 'Fewer numbers are for sale than ALARM_STOCK. Numbers that are in use or resting don’t count. Add numbers, or ask the supplier for more. `supplier:list` shows the count.',
  },
  'balance-low': {
    begun: 'We are running out of money at a supplier',
    over: 'We have enough money at the supplier again',
    about: 'Supplier',
    todo: 'Top up our balance at the supplier: without money, it sells us nothing. `supplier:show` shows the balance.',
  },
  'rating-low': {
    begun: 'Our rating at a supplier is low',
    over: 'Our rating at the supplier is high enough again',
    about: 'Supplier',
    todo: 'At a rating of 0, the supplier sells us nothing for a day. Cancelled numbers and numbers without a code lower the rating; `supplier:pause` stops that. `supplier:list` shows the rating.',
  },
  losses: {
    begun: 'A supplier charges us for messages that nobody pays for',
    over: 'The supplier now charges us for hardly any message that nobody pays for',
    about: 'Supplier',
    todo: 'Buyers were refunded: an advert came instead of a code, or the code came too late. `supplier:list` shows the total. Ask the supplier, or stop it with `supplier:pause`.',
  },
  'no-sms': {
    begun: 'A supplier sends no messages while buyers wait',
    over: 'The supplier sends messages again',
    about: 'Supplier',
    todo: 'Check `supplier:show` and the log. If this lasts, use `supplier:pause` to spare buyers the wait.',
  },
  'price-below-cost': {
    begun: 'A fixed price is below the cost of its numbers',
    over: 'No fixed price is below the cost of its numbers any more',
    about: 'Service and country',
    todo: 'These numbers are off sale and in no list. `price:list --below-cost` lists all such pairs now. `price:set` changes a price.',
  },
  'money-unowned': {
    begun: 'Money has arrived for a deleted account',
    over: 'No money for deleted accounts is waiting any more',
    about: 'Accounts',
    todo: '`payment:list --state unowned` lists the payments. `payment:refund` refunds them.',
  },
  'mail-down': {
    begun: 'E-mail can’t be sent',
    over: 'E-mail is being sent again',
    about: 'E-mails waiting',
    todo: 'Nobody gets codes by e-mail. Check the mail server and SMTP_URL. Once one e-mail is sent, the others follow at once.',
  },
  'books-wrong': {
    begun: 'The books are wrong',
    over: 'The books are right again',
    about: 'First error',
    todo: 'Stop buying with `buying:stop`. Then run `ledger:verify --full` before you do anything else.',
  },
  'rate-old': {
    begun: 'An exchange rate is more than a day old',
    over: 'The exchange rate was set, or its source responds again',
    about: 'Currency',
    todo: 'The source of the rate doesn’t respond: see `rate:list`. Prices still use the last rate. Until the source is back, set a correct rate with `rate:set`.',
  },
  'rate-doubtful': {
    begun: 'An exchange rate moved by more than 10 %',
    over: 'The exchange rate is confirmed',
    about: 'Currency',
    todo: 'The earlier rate still applies. Set the correct rate with `rate:set`, or turn the source off with `rate:source CURRENCY none`. `rate:list` shows the rates.',
  },
  'referral-withdrawals': {
    begun: 'Referral withdrawals are waiting for you',
    over: 'No referral withdrawals are waiting any more',
    about: 'Withdrawals',
    todo: '`referral:list` lists them. Approve or refuse each one. Pay the approved ones, then record that with `referral:paid`.',
  },
  'referral-suspects': {
    begun: 'Somebody may be inviting themselves',
    over: 'No suspicious invitations are waiting any more',
    about: 'Invitations',
    todo: '`referral:list` lists them with the reasons. Allow each one with `referral:clear`, or end it with `referral:bar`.',
  },
  'chain-stopped': {
    begun: 'A chain is no longer being read',
    over: 'The chain is being read again',
    about: 'Gateway',
    todo: 'We credit no transfers until then. Correct wrong settings with `gateway:set`. After a deep reorganisation, `chain:rewind` reads the blocks again. `gateway:list` also shows the reason.',
  },
  'chain-behind': {
    begun: 'A chain is being read with a delay',
    over: 'The chain is being read without a delay again',
    about: 'Gateway',
    todo: 'We credit transfers late. The nodes don’t respond, lag or disagree: see `gateway:list`. If a node stays like this, replace it with `gateway:set`.',
  },
  'chain-node': {
    begun: 'A node contradicts the others',
    over: 'The node no longer contradicts the others',
    about: 'Gateway and node',
    todo: 'If too few nodes agree, we credit nothing. Compare the node with a block explorer, and replace it with `gateway:set`.',
  },
  'coin-rate': {
    begun: 'Coins have arrived, but there is no fresh rate for them',
    over: 'No coins are waiting for a rate any more',
    about: 'Gateway',
    todo: 'Check `rate:list` and set the coin’s rate with `rate:set`. We then credit the coins automatically; `payment:recheck` credits them at once. `payment:list --state waiting` lists the payments.',
  },
  'coin-name': {
    begun: 'Coins have arrived, but their payment service doesn’t name the coin',
    over: 'No coins are waiting for a name any more',
    about: 'Gateway',
    todo: '`payment:list --state waiting` lists the payments. Check in the payment service’s dashboard what came, then credit it with `payment:settle`. We wait seven days for the name.',
  },
  'chain-finding': {
    begun: 'A finding on a chain needs a decision',
    over: 'All findings on the chain are decided',
    about: 'Gateway',
    todo: '`chain:findings` lists the findings. Credit the money with `user:credit`, then close the finding with `chain:settle`.',
  },
  unmatched: {
    begun: 'Many messages reach nobody',
    over: 'Messages reach buyers again',
    about: 'Limit per hour',
    todo: 'Check `message:list --given unmatched`. A sender is unknown, or a range receives adverts. `sender:set` identifies a sender. `message:attach` assigns a message to its order.',
  },
}
