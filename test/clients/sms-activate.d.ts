/** The library has no types, so this file declares the part that the tests use. */
declare module 'sms-activate' {
  class SMSActivate {
    constructor(apiKey: string)
    /** The library has a fixed address, so tests set `baseURL` here. */
    readonly session: { defaults: { baseURL: string } }
    getBalance(withCashBack?: boolean): Promise<number | null>
    getNumber(service: string, country?: number): Promise<{ id: number; number: number } | null>
    setStatus(id: number, status: number): Promise<string>
    getStatus(id: number): Promise<string>
    getCode(id: number): Promise<string | null>
  }
  export = SMSActivate
}
