import { type Protocol, told } from './protocol.ts'

export const LIVE: Protocol = {
  name: 'live',
  parts: [{ ...told('listen'), program: 'listen' }, told('NewCode'), told('ActivationChanged'), told('BalanceTopup')],
}
