/** An answer other than 200, in the format of Google's APIs. */
export class GoogleRefusal extends Error {
  override readonly name = 'Refusal';
  readonly code: number;
  readonly status: string;
  readonly details: readonly unknown[];

  constructor(code: number, status: string, message: string, details: readonly unknown[] = []) {
    super(message);
    this.code = code;
    this.status = status;
    this.details = details;
  }

  get body(): unknown {
    const { code, message, status, details } = this;
    return { error: { code, message, status, ...(details.length > 0 && { details }) } };
  }
}

export const invalid = (message: string): GoogleRefusal =>
  new GoogleRefusal(400, 'INVALID_ARGUMENT', message);
