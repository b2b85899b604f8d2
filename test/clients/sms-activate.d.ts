/** What the tests use of the library; it has no types. */
declare module 'sms-activate' {
  class SMSActivate {
    constructor(apiKey: string)
    /** Its address is written into it. */
    readonly session: { defaults: { baseURL: string } }
    getBalance(withCashBack?: boolean): Promise<number | null>
    getNumber(service: string, country?: number): Promise<{ id: number; number: number } | null>
    setStatus(id: number, status: number): Promise<string>
    getStatus(id: number): Promise<string>
    getCode(id: number): Promise<string | null>
  }
  export = SMSActivate
}
