// The message of a request (host-wasm/README.md, "Messages").

import { type Fields, LAYOUT } from './instance.ts';
import { MessageWriter } from './message.ts';

/** The head of a request; `target` is the origin form. */
export interface Head {
  method: string;
  target: string;
  headers: Fields;
}

/** A body is cut one byte above the limit of the core. */
export interface CoreRequest extends Head {
  body?: Uint8Array;
}

/** `ticket` is the admission ticket, empty for calls without admission. */
export function requestMessage(request: CoreRequest, ticket: Uint8Array = new Uint8Array(), waitedMs = 0): Uint8Array {
  const { method, target, headers, body = new Uint8Array() } = request;
  const message = new MessageWriter().number(LAYOUT).text(ticket).number(waitedMs);
  message.text(method).text(target).number(headers.length);
  for (const [field = '', value = ''] of headers) message.text(field).text(value);
  return message.text(body).finish();
}
