/** Thread of the user's hooks: calls one after another. crawling/openings/hook-thread.ts is the other end. */
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../../base/core/errors.ts';
import type { HookAnswer, HookCall, HookStart, HookWorkerData } from './hook-thread.ts';
import { strategyFunctions } from './strategy-functions.ts';

const { file, strategy } = workerData as HookWorkerData;
let hooks: Readonly<Record<string, unknown>> = {};
try {
  const module = (await import(pathToFileURL(file).href)) as Readonly<Record<string, unknown>>;
  hooks = strategy === undefined ? module : strategyFunctions(module, strategy);
  tell({ exports: Object.keys(hooks).filter((name) => typeof hooks[name] === 'function') });
} catch (error) {
  tell({ broken: textOf(error) });
}

parentPort?.on('message', async ({ id, hook, argument }: HookCall) => {
  tell(await answerTo(id, hook, argument));
});

async function answerTo(id: number, hook: string, argument: unknown): Promise<HookAnswer> {
  const call = hooks[hook];
  try {
    return { id, value: typeof call === 'function' ? ((await call(argument)) ?? null) : null };
  } catch (error) {
    return { id, cause: 'threw', detail: textOf(error) };
  }
}

function tell(message: HookStart | HookAnswer): void {
  try {
    parentPort?.postMessage(message);
  } catch (error) {
    // A function, say, cannot cross a thread.
    if ('id' in message) parentPort?.postMessage({ id: message.id, cause: 'rubbish', detail: textOf(error) } satisfies HookAnswer);
  }
}

/** A hook may throw anything. */
function textOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : messageOf(error);
}
