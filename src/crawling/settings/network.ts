/** The network options among the options of a command. */
import type { LIST_RENDERING, NETWORK } from './commands.ts';
import type { OptionsOf } from './setting.ts';

/** Only the fields that have a value. */
export function given<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}

type RequestOptions = OptionsOf<typeof NETWORK> & OptionsOf<typeof LIST_RENDERING>;

/** The options about requests and their rendering, as a command has them. */
export type NetworkOptions = { readonly [K in keyof RequestOptions]?: RequestOptions[K] | undefined };

/** The options about requests of a command, in the form of the library's `fetch`. */
export function networkOf({ delay, userAgent, contact, proxy, allowPrivate, render, browser, sandbox }: NetworkOptions) {
  return given({ delay, userAgent, contact, proxy, allowPrivate, render, browser, sandbox });
}
