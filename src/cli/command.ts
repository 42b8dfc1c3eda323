import type { NETWORK } from '../settings/commands.ts';
import type { OptionsOf } from '../settings/setting.ts';
import { harmless, harmlessJson } from '../text/harmless.ts';

/** Only the fields that have a value. */
export function given<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}

/** The network options, as a command has them. */
export type Network = { readonly [K in keyof OptionsOf<typeof NETWORK>]?: OptionsOf<typeof NETWORK>[K] | undefined };

/** The network options of a command, in the form of the library's `fetch`. */
export function networkOf({ delay, userAgent, contact, proxy, allowPrivate }: Network) {
  return given({ delay, userAgent, contact, proxy, allowPrivate });
}

/** A JSON line in printable form. */
export function jsonLine(value: unknown): string {
  return harmlessJson(JSON.stringify(value));
}

/** One JSON line on standard output. */
export function printJson(value: unknown): void {
  process.stdout.write(`${jsonLine(value)}\n`);
}

export function print(line: string): void {
  process.stdout.write(`${harmless(line)}\n`);
}

/** Prints text of a page: unchanged, except on a terminal. */
export function printContent(content: string): void {
  process.stdout.write(process.stdout.isTTY === true ? content.split('\f').map(harmless).join('\f') : content);
}

/** Prints a line for people during the work. */
export function warn(line: string): void {
  process.stderr.write(`forager: ${harmless(line)}\n`);
}
