/**
 * Mail addresses of a text, by another hand than the finder: the grammar of RFC 5322 §3.4.1 (dot-atom @ domain) with a domain by RFC 1123 that ends in
 * a domain of a country or one of the common generic ones. Places of files (`git@host:path`), user names in URLs and domains of RFC 2606 are none.
 */
const GENERIC = 'com org net edu gov mil int info biz name pro io dev app me tv cc xyz online site tech cloud email'.split(' ');
const COUNTRY = /^[a-z]{2}$/i;
/** Country codes that no country has; files and units of systemd have such endings. */
const NO_COUNTRY = new Set('xx zz py_ md5 so_'.split(' '));
const ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
const ADDRESS = new RegExp(`(${ATOM}(?:\\.${ATOM})*)@((?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?\\.)+[A-Za-z]{2,})`, 'g');

export function mailsByGrammar(line: string): (readonly [start: number, end: number])[] {
  return [...line.matchAll(ADDRESS)].flatMap(({ index, 0: written, 1: local = '', 2: domain = '' }) => {
    const end = index + written.length;
    const ending = domain.slice(domain.lastIndexOf('.') + 1).toLowerCase();
    const isDomain = GENERIC.includes(ending) || (COUNTRY.test(ending) && !NO_COUNTRY.has(ending));
    const isPlace = /^:[\w~/]/.test(line.slice(end)) || /:\/\/\S*$/.test(line.slice(0, index + local.lastIndexOf('/') + 1));
    if (!isDomain || isPlace || /(^|\.)example\.(com|net|org|edu)$/i.test(domain)) return [];
    // Quotes, slashes and signs of lists before a name are of the sentence.
    const sentence = /^[^\w]+|^.*\//.exec(local)?.[0].length ?? 0;
    return sentence >= local.length ? [] : [[index + sentence, end] as const];
  });
}
