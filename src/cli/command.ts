import type { NETWORK } from '../settings/commands.ts';
import type { OptionsOf } from '../settings/setting.ts';
import { harmless, harmlessJson } from '../text/harmless.ts';

/** Only the fields that were given a value. */
export function given<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}

type Network = OptionsOf<typeof NETWORK>;

/** The network options of those a command was given, as the library's `fetch` takes them. */
export function networkOf({ delay, userAgent, contact, proxy, allowPrivate }: { readonly [K in keyof Network]?: Network[K] | undefined }) {
  return given({ delay, userAgent, contact, proxy, allowPrivate });
}

/** A JSON line as it is printed. */
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

/** Text of a page: as it is, but for a terminal. */
export function printContent(content: string): void {
  process.stdout.write(process.stdout.isTTY === true ? content.split('\f').map(harmless).join('\f') : content);
}

/** A line for people while the work goes on. */
export function warn(line: string): void {
  process.stderr.write(`forager: ${harmless(line)}\n`);
}
