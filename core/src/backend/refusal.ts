/** The reason for refusing a request: the status and the message of its response. */
export class Refusal {
  readonly status: number
  readonly message: string
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    this.status = status
    this.message = message
    this.headers = headers
  }
}
