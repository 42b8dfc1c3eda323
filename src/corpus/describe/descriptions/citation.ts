import { stringify } from 'yaml';
import { bibEntry } from '../../formats/bibtex.ts';
import type { CorpusCard } from '../corpus-card.ts';
import type { DescribedCorpus, Description } from '../description.ts';
import { limitationTexts } from '../publication.ts';

/** Citation File Format 1.2.0, of type dataset. GitHub and Zenodo read it. */
export const citationFile = {
  file: 'CITATION.cff',
  help: 'Citation File Format, which GitHub and Zenodo read',
  content({ card, publication: { title, abstract, creators, url, date, version, keywords } }) {
    const [name = '', softwareVersion = ''] = card.crawl.software.split('/');
    return stringify({
      'cff-version': '1.2.0',
      message: 'If you use this corpus, please cite it as below.',
      type: 'dataset',
      title,
      abstract,
      authors: creators.map((creator) => ({ name: creator })),
      ...(isUrl(url) && { url }),
      version,
      'date-released': date,
      keywords: [...keywords],
      ...identifiersOf(card),
      references: [
        {
          type: 'software',
          title: name,
          ...(softwareVersion !== '' && { version: softwareVersion }),
          authors: [{ name: 'The Forager maintainers' }],
        },
      ],
    });
  },
} as const satisfies Description;

/** The hash of the first file tells this corpus from all others. */
function identifiersOf({ files: [first] }: CorpusCard): object {
  if (first === undefined) return {};
  return { identifiers: [{ type: 'other', value: `sha256:${first.sha256}`, description: `SHA-256 of ${first.name}` }] };
}

export const corpusBibtex = {
  file: 'corpus.bib',
  help: 'the corpus as an entry of BibTeX',
  content({ card, publication: { title, creators, url, date, version } }: DescribedCorpus) {
    return bibEntry('misc', keyOf(card, date), {
      title,
      author: creators,
      year: date.slice(0, 4),
      date,
      url: isUrl(url) ? url : null,
      howpublished: `${card.records.kept} web pages, crawled with ${card.crawl.software}`,
      version,
      note: [card.cite, ...limitationTexts(card).slice(0, 1)].join(' '),
    });
  },
} as const satisfies Description;

function keyOf({ topic }: CorpusCard, date: string): string {
  const word = topic.name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  return ['corpus', ...(word === '' ? [] : [word]), date.slice(0, 4)].join('-');
}

function isUrl(url: string): boolean {
  return URL.canParse(url);
}
