import { type Protocol, told } from './protocol.ts'

export const WEBHOOKS: Protocol = {
  name: 'webhooks',
  parts: [
    {
      ...told('add'),
      request: {
        method: 'POST',
        address: '/api/v1/webhooks',
        headers: { Authorization: 'Bearer {key}', 'Idempotency-Key': '{once}', 'Content-Type': 'application/json' },
        body: { label: 'Shop', url: 'https://shop.example/hook', events: ['code.received', 'order.refunded'] },
      },
      fields: ['label*', 'url*', 'events', 'form'],
      words: ['TOO_MANY_WEBHOOKS', 'INVALID_INPUT', 'FORBIDDEN'],
    },
    { ...told('verify'), program: 'verify' },
    told('code.received'),
    told('activation.cancelled'),
    told('order.refunded'),
    told('rental.ended'),
    told('test'),
    told('field'),
  ],
}
