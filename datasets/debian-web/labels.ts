import { hostTable } from './hosts.ts';

let subjects: ReadonlyMap<string, string> | null = null;

/** Subject of the URL's host by hosts.tsv, e.g. `mathematics`; null for hosts not in the table and for what is no URL. */
export function subjectOf(url: string): string | null {
  subjects ??= new Map(hostTable().map((row) => [row.host, row.subject]));
  const parsed = parse(url);
  return parsed === null ? null : (subjects.get(parsed.host) ?? null);
}

/** A label of sub-topics: is the URL under `prefix` (host and path without scheme, e.g. `docs.kernel.org/networking/`)? */
export function underPrefix(prefix: string): (url: string) => boolean {
  return (url) => {
    const parsed = parse(url);
    return parsed !== null && `${parsed.host}${parsed.path}`.startsWith(prefix);
  };
}

/**
 * A label of many sub-topics: the first path segment after `prefix`, e.g. `networking` for
 * `http://docs.kernel.org/networking/tcp.html` under `docs.kernel.org/`; null outside it and for pages that lie in `prefix` itself.
 */
export function firstSegmentUnder(prefix: string): (url: string) => string | null {
  const inside = underPrefix(prefix);
  return (url) => {
    const parsed = parse(url);
    if (parsed === null || !inside(url)) return null;
    const rest = `${parsed.host}${parsed.path}`.slice(prefix.length);
    const end = rest.indexOf('/');
    return end <= 0 ? null : rest.slice(0, end);
  };
}

function parse(url: string): { readonly host: string; readonly path: string } | null {
  if (!URL.canParse(url)) return null;
  const { host, pathname } = new URL(url);
  return { host, path: pathname };
}
