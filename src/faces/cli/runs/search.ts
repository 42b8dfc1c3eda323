import { EXIT } from '../../../base/core/errors.ts';
import { counted } from '../../../base/text/number-text.ts';
import { MARK, type SearchHit } from '../../../corpus/search/corpus-search.ts';
import { print, printJson } from '../command.ts';
import type { CommandOptions } from '../define.ts';

export async function runSearch({ json, ...options }: CommandOptions<'search'>): Promise<number> {
  const { search } = await import('../../app/search-corpus.ts');
  const { total, hits } = await search(options);
  const readable = hits.map((hit) => ({ ...hit, snippet: hit.snippet.replaceAll(MARK.start, '[').replaceAll(MARK.end, ']') }));
  if (json) printJson({ total, hits: readable });
  else {
    print(`${counted(total, 'page')}${hits.length < total ? `; the best ${hits.length}, more with --top` : ''}`);
    for (const hit of readable) describe(hit);
  }
  return EXIT.done;
}

function describe({ url, title, lang, score, snippet, pageNumber }: SearchHit): void {
  print(`${score.toFixed(2).padStart(7)}  ${title === '' ? url : title}`);
  print(`         ${url}${pageNumber === undefined ? '' : `#page=${pageNumber}`}  ${lang}`);
  print(`         ${snippet}`);
}
