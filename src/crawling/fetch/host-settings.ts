/** Header fields for certain hosts, and hosts whose certificates need not be verified. */

/** The settings of a host. */
export interface HostSetting {
  /** Names in lower case and values, in turn; the values are secrets. */
  readonly fields: readonly string[];
  /** Is a certificate accepted that cannot be verified? */
  readonly unverified: boolean;
}

const PATTERN = /^(?:(https?):\/\/)?(\*\.)?([^\s/:@*?#[\]]+|\[[\da-f:.]+\])(:\d{1,5})?\/?$/i;

/**
 * The origins of a pattern: `example.org` (port 80 of http and 443 of https), `example.org:8080`, `https://example.org`, which is never plain http.
 * `*.` in front means all hosts below that name, and stays in front of it.
 * @returns null for anything other than a pattern
 */
export function originsOf(pattern: string): readonly string[] | null {
  const [, scheme, below = '', name = '', port = ''] = PATTERN.exec(pattern) ?? [];
  if (name === '') return null;
  const schemes = scheme === undefined ? ['http', 'https'] : [scheme.toLowerCase()];
  const origins = schemes.map((each) => originOf(`${each}://${name}${port}`)?.replace('://', `://${below}`));
  return origins.every((origin) => origin !== undefined) ? origins : null;
}

function originOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).origin : undefined;
}

/** Settings by origin: those of the host itself, or else of the nearest name above it. */
export class HostSettings {
  readonly #byOrigin: ReadonlyMap<string, HostSetting>;

  /** @param byOrigin by the origins of `originsOf` */
  constructor(byOrigin: ReadonlyMap<string, HostSetting>) {
    this.#byOrigin = byOrigin;
  }

  /** null without settings. O(labels of the host name). */
  of({ origin, protocol, hostname, port }: URL): HostSetting | null {
    const own = this.#byOrigin.get(origin);
    if (own) return own;
    const tail = port === '' ? '' : `:${port}`;
    for (let dot = hostname.indexOf('.'); dot >= 0; dot = hostname.indexOf('.', dot + 1)) {
      const above = this.#byOrigin.get(`${protocol}//*${hostname.slice(dot)}${tail}`);
      if (above) return above;
    }
    return null;
  }
}
