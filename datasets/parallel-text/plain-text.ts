/** Text of an entry without the markup of its manual: man, POD, DocBook. */

const ENTITIES: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  mdash: '—',
  ndash: '–',
  hellip: '…',
};
/** Names of POD's and po4a's escapes, `E<lt>`. */
const POD_ESCAPES: Readonly<Record<string, string>> = { lt: '<', gt: '>', sol: '/', verbar: '|', '.': '', nbsp: ' ' };
const INNERMOST = /([BCEFILRSXZ])<(?:<+ )?([^<>]*?)(?: >+)?>/g;
/** Stand for angle brackets of the text until all markup is gone. */
const [OPEN, CLOSE] = ['\ue000', '\ue001'];

/** The text on one line. */
export function plainText(marked: string): string {
  let text = marked
    .replaceAll(/\\f[BIRPC]|\\&|\\\|/g, '')
    .replaceAll(/\\-/g, '-')
    .replaceAll('\\(aq', "'")
    .replaceAll('\\(em', '—');
  for (let before = ''; before !== text; ) {
    before = text;
    text = text.replaceAll(INNERMOST, (_, code: string, inside: string) => formatted(code, inside));
  }
  text = text.replaceAll(/<\/?[a-zA-Z][^<>]*>/g, ' ').replaceAll(/&(#?\w[\w.-]*);/g, (_, name: string) => ENTITIES[name] ?? name);
  return text.replaceAll(OPEN, '<').replaceAll(CLOSE, '>').replaceAll(/\s+/g, ' ').trim();
}

function formatted(code: string, inside: string): string {
  if (code === 'E') return (POD_ESCAPES[inside] ?? inside).replaceAll('<', OPEN).replaceAll('>', CLOSE);
  if (code === 'X' || code === 'Z') return '';
  return code === 'L' ? (inside.split('|')[0] ?? '') : inside;
}
