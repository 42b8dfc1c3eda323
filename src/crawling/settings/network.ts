/** The network options among the options of a command. */
import type { NETWORK } from './commands.ts';
import type { OptionsOf } from './setting.ts';

/** Only the fields that have a value. */
export function given<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}

/** The network options, as a command has them. */
export type NetworkOptions = { readonly [K in keyof OptionsOf<typeof NETWORK>]?: OptionsOf<typeof NETWORK>[K] | undefined };

/** The network options of a command, in the form of the library's `fetch`. */
export function networkOf({ delay, userAgent, contact, proxy, allowPrivate }: NetworkOptions) {
  return given({ delay, userAgent, contact, proxy, allowPrivate });
}
