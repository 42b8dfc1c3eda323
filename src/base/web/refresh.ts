/** Time, then a separator: white space, `;` or `,` (HTML Standard §4.2.5.3, "shared declarative refresh steps"). */
const TIME = /^[\t\n\f\r ]*[\d.]+(?:[\t\n\f\r ]*[;,]|[\t\n\f\r ])[\t\n\f\r ]*/;
const URL_NAME = /^url[\t\n\f\r ]*=[\t\n\f\r ]*/i;

/**
 * The address in the value of a refresh, a meta element or a header field: `5; url=next.html` or `0;next.html`. null for a reload of the same page
 * and for a value that browsers ignore. O(length).
 */
export function refreshTarget(value: string): string | null {
  const time = TIME.exec(value);
  if (time === null) return null;
  const named = value.slice(time[0].length);
  const target = named.replace(URL_NAME, '');
  const quote = target[0];
  if (quote !== '"' && quote !== "'") return target.trim() || null;
  const end = target.indexOf(quote, 1);
  return target.slice(1, end < 0 ? undefined : end).trim() || null;
}
