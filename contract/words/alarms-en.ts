import type { AlarmKind } from '#contract/mails.ts'

export type AlarmWords = { begun: string; over: string; about: string; todo: string }

export const ALARM_WHY_EN = 'Reason'
export const ALARM_SINCE_EN = 'Began'

export const ALARMS_EN: Record<AlarmKind, AlarmWords> = {
  'link-down': {
    begun: 'The link to a supplier is down',
    over: 'The link to a supplier is up again',
    about: 'Supplier',
    todo: 'It sells nothing meanwhile. `supplier:events` says what came before, `supplier:test` what works at this moment.',
  },
  'set-aside': {
    begun: 'A supplier does not answer and is set aside',
    over: 'The supplier sells again',
    about: 'Supplier',
    todo: 'It is tried again by single purchases. `supplier:show` shows its errors, `supplier:restore` brings it back at once.',
  },
  'share-low': {
    begun: 'A supplier delivers far fewer codes than usual and is set aside',
    over: 'A supplier that delivered too few codes sells again',
    about: 'Supplier',
    todo: 'It is tried again by single purchases. `supplier:events` has the figures, `supplier:restore` brings it back at once.',
  },
  'stock-low': {
    begun: 'A supplier runs out of numbers',
    over: 'The supplier has enough numbers again',
    about: 'Supplier',
    todo: 'Fewer than ALARM_STOCK are for sale: those that are out or rest do not count. Add numbers, or ask the supplier for more; `supplier:list` has the count.',
  },
  'balance-low': {
    begun: 'Our money at a supplier runs out',
    over: 'There is enough money at the supplier again',
    about: 'Supplier',
    todo: 'Top it up: without money it sells nothing. `supplier:show` has the balance.',
  },
  'rating-low': {
    begun: 'Our rating at a supplier is low',
    over: 'The rating at the supplier is enough again',
    about: 'Supplier',
    todo: 'At 0 it sells nothing for a day. Cancelled numbers and those without a code lower it; `supplier:pause` ends that. `supplier:list` shows the rating.',
  },
  losses: {
    begun: 'A supplier charges messages that nobody pays for',
    over: 'A supplier charges hardly anything any more that nobody pays for',
    about: 'Supplier',
    todo: 'Buyers had their money back: adverts for a code, or codes after an end. `supplier:list` has the sum. Ask the supplier, or stop it with `supplier:pause`.',
  },
  'no-sms': {
    begun: 'No message comes from a supplier while people wait',
    over: 'Messages come from the supplier again',
    about: 'Supplier',
    todo: 'See `supplier:show` and the log. If it lasts, `supplier:pause` spares buyers the wait.',
  },
  'price-below-cost': {
    begun: 'A fixed price is below what its numbers cost',
    over: 'No fixed price is below what its numbers cost any more',
    about: 'Service and country',
    todo: 'Nobody can buy there, and it is in no list. `price:list --below-cost` names all such pairs as they are now, `price:set` changes a price.',
  },
  'money-unowned': {
    begun: 'Money has come for somebody who has left',
    over: 'No money of those who have left waits any more',
    about: 'Accounts',
    todo: '`payment:list --state unowned` names the payments, `payment:refund` pays them back.',
  },
  'mail-down': {
    begun: 'Letters cannot be sent',
    over: 'Letters are sent again',
    about: 'Letters that wait',
    todo: 'No code reaches anybody by mail. See the mail server and SMTP_URL. When one letter goes, the others follow at once.',
  },
  'books-wrong': {
    begun: 'The books are wrong',
    over: 'The books are right again',
    about: 'First fault',
    todo: 'Stop buying with `buying:stop` and run `ledger:verify --full` before anything else.',
  },
  'rate-old': {
    begun: 'An exchange rate is older than a day',
    over: 'The exchange rate was set, or its source answers again',
    about: 'Currency',
    todo: 'Its source does not answer: see `rate:list`. The last rate holds for prices; set a right one by `rate:set` meanwhile.',
  },
  'rate-doubtful': {
    begun: 'An exchange rate moved by more than 10 %',
    over: 'The exchange rate is settled',
    about: 'Currency',
    todo: 'The earlier rate still holds. Set the right one by `rate:set`, or leave the source by `rate:source CURRENCY none`; see `rate:list`.',
  },
  'referral-withdrawals': {
    begun: 'Referral withdrawals wait for you',
    over: 'No referral withdrawal waits any more',
    about: 'How many',
    todo: '`referral:list` shows them. Approve or refuse each, pay the approved ones and note that by `referral:paid`.',
  },
  'referral-suspects': {
    begun: 'Invitations look like people who invite themselves',
    over: 'No suspected invitation waits any more',
    about: 'How many',
    todo: '`referral:list` shows them with the reasons. Let each go on by `referral:clear`, or end it by `referral:bar`.',
  },
  'chain-stopped': {
    begun: 'A chain is no longer read',
    over: 'The chain is read again',
    about: 'Gateway',
    todo: 'Nothing that arrives is credited meanwhile. Wrong settings are mended by `gateway:set`; after a deep reorganisation `chain:rewind` reads again. `gateway:list` has the reason too.',
  },
  'chain-behind': {
    begun: 'Reading of a chain has fallen behind',
    over: 'The chain is read to its end again',
    about: 'Gateway',
    todo: 'What arrives is credited late. Its nodes do not answer, lag or disagree: see `gateway:list`. Replace one that stays so by `gateway:set`.',
  },
  'chain-node': {
    begun: 'A node contradicts the others',
    over: 'The node no longer contradicts',
    about: 'Gateway and node',
    todo: 'Where too few agree nothing is credited. Compare it with a block explorer, and replace it by `gateway:set`.',
  },
  'coin-rate': {
    begun: 'Coins have arrived, and there is no fresh rate for them',
    over: 'No coins wait for a rate any more',
    about: 'Gateway',
    todo: 'Set the rate of the coin by `rate:set`: see `rate:list`. `payment:list --state waiting` names the payments. Their coins are credited by themselves then, or at once by `payment:recheck`.',
  },
  'coin-name': {
    begun: 'Coins have arrived, and their vendor does not name the coin',
    over: 'No coins without a name are waited for any more',
    about: 'Gateway',
    todo: '`payment:list --state waiting` names the payments. See in the vendor’s cabinet what has come, and credit it by `payment:settle`. After seven days nobody waits for the name.',
  },
  'chain-finding': {
    begun: 'Something on a chain needs a decision',
    over: 'Everything found on the chain is decided',
    about: 'Gateway',
    todo: '`chain:findings` lists it. Credit it by `user:credit`, then close it by `chain:settle`.',
  },
  unmatched: {
    begun: 'Many messages reach nobody',
    over: 'Messages reach somebody again',
    about: 'More in an hour than',
    todo: 'See `message:list --given unmatched`: a sender is not known, or a range gets advertising. `sender:set` names a sender, `message:attach` gives a message to its order.',
  },
}
