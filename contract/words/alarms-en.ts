import type { AlarmKind } from '#contract/mails.ts'

export type AlarmWords = { begun: string; over: string; about: string; todo: string }

export const ALARM_WHY_EN = 'Reason'
export const ALARM_SINCE_EN = 'Began'

export const ALARMS_EN: Record<AlarmKind, AlarmWords> = {
  'link-down': {
    begun: 'The link to a supplier is down',
    over: 'The link to the supplier is up again',
    about: 'Supplier',
    todo: 'The supplier won’t sell anything until the link is back. `supplier:events` shows its history, and `supplier:test` shows what works now.',
  },
  'set-aside': {
    begun: 'A supplier isn’t responding and has been suspended',
    over: 'The supplier is selling again',
    about: 'Supplier',
    todo: 'We’re testing the supplier with single purchases. `supplier:show` shows its errors. `supplier:restore` brings it back immediately.',
  },
  'share-low': {
    begun: 'A supplier is delivering far fewer codes than usual and has been suspended',
    over: 'The supplier that delivered too few codes is selling again',
    about: 'Supplier',
    todo: 'We’re testing the supplier with single purchases. `supplier:events` shows the figures. `supplier:restore` brings it back immediately.',
  },
  'stock-low': {
    begun: 'A supplier is running out of numbers',
    over: 'The supplier has enough numbers again',
    about: 'Supplier',
    todo: 'There are fewer numbers for sale than ALARM_STOCK. Numbers that are in use or resting don’t count. Add numbers, or ask the supplier for more. `supplier:list` shows the count.',
  },
  'balance-low': {
    begun: 'Our balance with a supplier is running low',
    over: 'Our balance with the supplier is high enough again',
    about: 'Supplier',
    todo: 'Top up our balance with the supplier: it won’t sell us anything without money. `supplier:show` shows the balance.',
  },
  'rating-low': {
    begun: 'Our rating with a supplier is low',
    over: 'Our rating with the supplier is high enough again',
    about: 'Supplier',
    todo: 'If the rating drops to 0, the supplier won’t sell us anything for a day. Cancelled numbers and numbers without a code lower the rating; `supplier:pause` stops that. `supplier:list` shows the rating.',
  },
  losses: {
    begun: 'A supplier is charging us for messages that buyers don’t pay for',
    over: 'The supplier has almost stopped charging us for messages that buyers don’t pay for',
    about: 'Supplier',
    todo: 'We refunded buyers because an advert arrived instead of a code, or the code arrived too late. `supplier:list` shows the total. Ask the supplier, or stop it with `supplier:pause`.',
  },
  'no-sms': {
    begun: 'A supplier isn’t sending any messages while buyers wait',
    over: 'The supplier is sending messages again',
    about: 'Supplier',
    todo: 'Check `supplier:show` and the log. If it continues, use `supplier:pause` so buyers don’t wait in vain.',
  },
  'price-below-cost': {
    begun: 'A fixed price is below the cost of its numbers',
    over: 'No fixed price is below the cost of its numbers any more',
    about: 'Service and country',
    todo: 'These numbers are off sale and don’t appear in any list. `price:list --below-cost` lists all affected pairs. `price:set` changes a price.',
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
    todo: 'Nobody is getting codes by e-mail. Check the mail server and SMTP_URL. As soon as one e-mail goes through, the rest will follow.',
  },
  'books-wrong': {
    begun: 'The books don’t balance',
    over: 'The books balance again',
    about: 'First error',
    todo: 'Stop purchases with `buying:stop`, then run `ledger:verify --full` before you do anything else.',
  },
  'rate-old': {
    begun: 'An exchange rate is more than a day old',
    over: 'The exchange rate has been set, or its source is responding again',
    about: 'Currency',
    todo: 'The source of the rate isn’t responding: see `rate:list`. Prices still use the last rate. Until the source is back, set a correct rate with `rate:set`.',
  },
  'rate-doubtful': {
    begun: 'An exchange rate has moved by more than 10 %',
    over: 'The exchange rate is confirmed',
    about: 'Currency',
    todo: 'The earlier rate still applies. Set the correct rate with `rate:set`, or turn the source off with `rate:source CURRENCY none`. `rate:list` shows the rates.',
  },
  'referral-withdrawals': {
    begun: 'Referral withdrawals are waiting for you',
    over: 'No referral withdrawals are waiting any more',
    about: 'Withdrawals',
    todo: '`referral:list` lists them. Approve or refuse each one. Pay the approved ones, then record the payment with `referral:paid`.',
  },
  'referral-suspects': {
    begun: 'Someone may be inviting their own accounts',
    over: 'No suspicious invitations are waiting any more',
    about: 'Invitations',
    todo: '`referral:list` lists them with the reasons. Allow each one with `referral:clear`, or reject it with `referral:bar`.',
  },
  'chain-stopped': {
    begun: 'We’ve stopped reading a blockchain',
    over: 'We’re reading the blockchain again',
    about: 'Gateway',
    todo: 'We won’t credit any transfers until reading resumes. If the settings are wrong, correct them with `gateway:set`. After a deep reorganisation, `chain:rewind` rereads the blocks. `gateway:list` also shows the reason.',
  },
  'chain-behind': {
    begun: 'We’re reading a blockchain with a delay',
    over: 'We’re reading the blockchain without a delay again',
    about: 'Gateway',
    todo: 'Transfers are being credited late because nodes aren’t responding, are lagging or disagree: see `gateway:list`. If a node stays like this, replace it with `gateway:set`.',
  },
  'chain-node': {
    begun: 'A blockchain node contradicts the others',
    over: 'The blockchain node no longer contradicts the others',
    about: 'Gateway and node',
    todo: 'If too few nodes agree, we don’t credit anything. Compare the node with a block explorer, and replace it with `gateway:set`.',
  },
  'coin-rate': {
    begun: 'Coins have arrived, but there is no fresh rate for them',
    over: 'No coins are waiting for a rate any more',
    about: 'Gateway',
    todo: 'Check `rate:list` and set the coin’s rate with `rate:set`. We’ll then credit the coins automatically; `payment:recheck` credits them immediately. `payment:list --state waiting` lists the payments.',
  },
  'coin-name': {
    begun: 'Coins have arrived, but their payment service doesn’t name the coin',
    over: 'No coins are waiting for a name any more',
    about: 'Gateway',
    todo: '`payment:list --state waiting` lists the payments. Check in the payment service’s dashboard which coin arrived, then credit it with `payment:settle`. We wait seven days for the name.',
  },
  'chain-finding': {
    begun: 'A finding on a blockchain needs your decision',
    over: 'All findings on the blockchain are decided',
    about: 'Gateway',
    todo: '`chain:findings` lists the findings. Credit the money with `user:credit`, then close the finding with `chain:settle`.',
  },
  unmatched: {
    begun: 'Many messages aren’t reaching any buyer',
    over: 'Messages are reaching buyers again',
    about: 'Limit per hour',
    todo: 'Check `message:list --given unmatched`. Either a sender is unknown, or a range is receiving adverts. `sender:set` identifies a sender. `message:attach` assigns a message to its order.',
  },
}
