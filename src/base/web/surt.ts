/** The key of a URL in an index of web archives. */

/**
 * The Sort-friendly URI Reordering Transform, as pywb, warcio and ReplayWeb.page compute it: `com,example)/a?b=1` of `https://www.example.com/A?b=1`. Lower
 * case, no scheme, no `www`, parameters in order. Other schemes, and text that is no URL, stay
 * as they are.
 */
export function surt(url: string): string {
  if (!/^https?:/.test(url)) return url;
  const bare = url.replace(/^(https?:\/\/)www\d*\./, '$1');
  const lower = bare.toLowerCase();
  if (!URL.canParse(lower)) return bare;
  const { hostname, port, pathname, search } = new URL(lower);
  const host = hostname.split('.').reverse().join(',');
  const query = search === '' ? '' : `?${search.slice(1).split('&').sort().join('&')}`;
  return `${host}${port === '' ? '' : `:${port}`})${pathname}${query}`;
}
