import { Parser } from 'htmlparser2';

/** Elements that stand on lines of their own, by the style sheet of the HTML Standard (§15.3), and table cells. */
const BREAKS = new Set(
  (
    'address article aside blockquote body br caption center dd details dialog dir div dl dt fieldset figcaption figure footer form frame ' +
    'h1 h2 h3 h4 h5 h6 head header hgroup hr html legend li listing main menu nav ol optgroup option p plaintext pre search section select ' +
    'summary table tbody td tfoot th thead tr ul xmp'
  ).split(' '),
);
const UNSEEN = new Set(['script', 'style', 'template']);

/** The text of HTML with a line break at each edge of a block, as a browser shows it: `textContent` glues blocks together. */
export function textOfHtml(html: string): string {
  const parts: string[] = [];
  let unseen = 0;
  const parser = new Parser({
    onopentagname: (name) => {
      if (UNSEEN.has(name)) unseen += 1;
      else if (BREAKS.has(name)) parts.push('\n');
    },
    onclosetag: (name) => {
      if (UNSEEN.has(name)) unseen -= 1;
      else if (BREAKS.has(name)) parts.push('\n');
    },
    ontext: (text) => {
      if (unseen === 0) parts.push(text);
    },
  });
  parser.end(html);
  return parts.join('').replaceAll(/\s*\n\s*/g, '\n');
}
