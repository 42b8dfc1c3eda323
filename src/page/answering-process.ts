/** A process that answers for the page; `asked-process.ts` is the other end. It ends with its channel. */
import { CrawlerError, messageOf } from '../core/errors.ts';
import type { Answering, Reply, Request } from './asked-process.ts';
import { type LabelDesk, labelDeskOf } from './label-desk.ts';
import { type Readings, readingsOf } from './readings.ts';
import { type RunDesk, runDeskOf } from './run-desk.ts';

/** Another table is a row here. */
export interface Tables {
  readonly readings: Readings;
  readonly desk: LabelDesk;
  readonly run: RunDesk;
}

interface Table {
  readonly functions: Answering;
  close(): Promise<void>;
}

const OPEN: { readonly [K in keyof Tables]: (dir: string) => Table } = {
  readings: (dir) => {
    const { close, ...functions } = readingsOf(dir);
    return { functions: functions as unknown as Answering, close };
  },
  desk: labelDeskOf,
  run: runDeskOf,
};

let table: Table | null = null;
let last: Promise<void> = Promise.resolve();

process.on('message', (request) => {
  last = last.then(() => answer(request as Request));
});
process.on('disconnect', () => {
  last = last.then(() => table?.close());
});

async function answer({ id, dir, table: name, name: called, given }: Request): Promise<void> {
  try {
    table ??= OPEN[name](dir);
    tell({ id, kind: 'done', value: await table.functions[called]?.(given as never) });
  } catch (error) {
    tell({ id, kind: 'failed', code: error instanceof CrawlerError ? error.code : null, message: messageOf(error) });
  }
}

/** The other end may be gone. */
function tell(reply: Reply): void {
  if (process.connected) process.send?.(reply, () => undefined);
}
