import { attachMessage } from '#server/core/numbers/delivery/attach-message.ts'
import { makeChange, refuseDoubtful } from '#server/programs/cli/change.ts'
import { type Command, CommandRefused, WrongUsage } from '#server/programs/cli/command.ts'

export const attachMessageByHand: Command = {
  name: 'message:attach',
  summary:
    'give a message of message:list to an open order of its number, an activation or rental:ID, as if it had come for it: the first one is charged',
  values: ['MESSAGE', 'ORDER'],
  changes: true,
  doubts: true,
  database: 'migrated',
  async run(cli, given) {
    const [message = '', order = ''] = given.values
    const messageId = readId(message, 'MESSAGE is the number of a message')
    const isRental = order.startsWith('rental:')
    const id = readId(order.replace(/^rental:/, ''), 'ORDER is the number of an activation or rental:ID')
    const kind = isRental ? 'rental' : 'activation'
    const doubt = ({ receivedAt, orderedAt }: { receivedAt: Date; orderedAt: Date }) =>
      refuseDoubtful(
        given,
        `Message ${messageId} came at ${receivedAt.toISOString()}, ${kind} ${id} was ordered only at ${orderedAt.toISOString()}`,
      )
    return makeChange(cli, { name: 'message:attach', given }, async (tx, now) => {
      const made = await attachMessage(tx, { messageId, order: { kind, id }, doubt, now })
      switch (made.outcome) {
        case 'unknown-message':
          throw new CommandRefused(`There is no message ${messageId}`)
        case 'unknown-order':
          throw new CommandRefused(`There is no ${kind} ${id}`)
        case 'given-before':
          throw new CommandRefused(`Message ${messageId} was given before: what somebody has read stays his`)
        case 'other-number':
          throw new CommandRefused(`Message ${messageId} came to another number than that of ${kind} ${id}`)
        case 'other-world':
          throw new CommandRefused(
            `One of message ${messageId} and ${kind} ${id} is of the sandbox, and the other is real`,
          )
        case 'ended':
          throw new CommandRefused(`The ${kind} ${id} is not open: nobody is charged for what has ended`)
        case 'attached': {
          const { userId, serviceCode: service, before } = made
          return {
            subject: `message:${messageId}`,
            tells: { message: messageId.toString() },
            detail: { order: isRental ? `rental:${id}` : `activation:${id}`, userId, service, before },
            says: `Message ${messageId} is with ${kind} ${id} now, of user ${userId} for ${service}.`,
          }
        }
        default:
          return made satisfies never
      }
    })
  },
}

function readId(text: string, otherwise: string): bigint {
  if (!/^\d{1,18}$/.test(text)) throw new WrongUsage(otherwise)
  return BigInt(text)
}
