/** A process that answers for the page; `rpc-child.ts` is the other end. It ends with its channel. */

import { CrawlerError, messageOf } from '../../base/core/errors.ts';
import { worksAs } from '../../base/disk/lock-owner.ts';
import { takeOverLocks } from '../../base/disk/take-over.ts';
import { showAs } from '../../base/text/forager-command.ts';
import type { LabelDesk } from './label-desk.ts';
import type { Readings } from './readings.ts';
import type { RpcHandlers, RpcReply, RpcRequest } from './rpc-child.ts';
import type { RunService } from './run-service.ts';

/** Another table is a row here. */
export interface Tables {
  readonly readings: Readings;
  readonly desk: LabelDesk;
  readonly run: RunService;
}

interface Table {
  readonly functions: RpcHandlers;
  close(): Promise<void>;
}

/** Each loads its own code only: that of the other costs half a second. */
const OPEN: { readonly [K in keyof Tables]: (dir: string) => Promise<Table> } = {
  readings: async (dir) => {
    const { readingsOf } = await import('./readings.ts');
    const { close, ...functions } = readingsOf(dir);
    return { functions: functions as unknown as RpcHandlers, close };
  },
  desk: async (dir) => (await import('./label-desk.ts')).labelDeskOf(dir),
  run: async (dir) => (await import('./run-service.ts')).runDeskOf(dir),
};

let table: Table | null = null;
let last: Promise<void> = Promise.resolve();

process.on('message', (request) => {
  last = last.then(() => answer(request as RpcRequest));
});
process.on('disconnect', () => {
  last = last.then(() => table?.close());
});

async function answer({ id, dir, table: name, name: called, given, program, port, takesOver }: RpcRequest): Promise<void> {
  showAs(program);
  if (takesOver) takeOverLocks();
  if (name !== 'readings') worksAs(name === 'desk' ? 'page-session' : 'page-run', port);
  try {
    table ??= await OPEN[name](dir);
    tell({ id, kind: 'done', value: await table.functions[called]?.(given as never) });
  } catch (error) {
    tell({ id, kind: 'failed', code: error instanceof CrawlerError ? error.code : null, message: messageOf(error) });
  }
}

/** The other end may be gone. */
function tell(reply: RpcReply): void {
  if (process.connected) process.send?.(reply, () => undefined);
}
