/** The outcome of a document whose reader gave up at some depth. */
import { messageOf } from '../../base/core/errors.ts';
import type { DocumentReading } from './document-kind.ts';

/** Ends the reading of a document with its outcome. `safely` alone catches it. */
export class EndOfReading extends Error {
  readonly outcome: DocumentReading;

  constructor(outcome: DocumentReading) {
    super(outcome.kind);
    this.outcome = outcome;
  }
}

/** Ends the reading: the document is broken. @param detail the fault, in one line */
export function broken(detail: string): EndOfReading {
  return new EndOfReading({ kind: 'failed', reason: 'decode', detail });
}

/** Ends the reading: the document needs a password. */
export function encrypted(): EndOfReading {
  return new EndOfReading({ kind: 'refused', reason: 'encrypted', pages: null });
}

/** The outcome of `read`. Never throws: any other error is that of a document that no reader foresaw. */
export function safely(read: () => DocumentReading): DocumentReading {
  try {
    return read();
  } catch (error) {
    return error instanceof EndOfReading ? error.outcome : { kind: 'failed', reason: 'decode', detail: messageOf(error) };
  }
}
