/** What `npm run bench`, `npm run check` and `npm run data` can run, by name. */

export interface Script {
  readonly name: string;
  /** For the list. The module's heading says more. */
  readonly help: string;
  /** From the root of the repository. */
  readonly module: string;
  /** It starts the command line or the library of `dist`. */
  readonly needsBuild: boolean;
  /** Data, programs and time that it takes; '' for none worth a word. */
  readonly needs: string;
  /** Its module answers --help itself. Of the others, the heading does. */
  readonly ownHelp: boolean;
}

function script(name: string, module: string, help: string, needs = ''): Script {
  return { name, help, module, needsBuild: false, needs, ownHelp: false };
}

function built(name: string, module: string, help: string, needs = ''): Script {
  return { ...script(name, module, help, needs), needsBuild: true };
}

function helping(row: Script): Script {
  return { ...row, ownHelp: true };
}

const BENCHES: readonly Script[] = [
  built('harvest', 'tools/bench/harvest.ts', 'harvest rate of the strategies on sub-topics of real pages', 'hosts of the Debian web'),
  built(
    'harvest-tables',
    'tools/bench/harvest-tables.ts',
    'cost of a harvest by format, and JSON lines beside Parquet in DuckDB',
    'four minutes, 1.5 GB of disk',
  ),
  built('pairs', 'tools/bench/pairs.ts', 'sentence pairs of made bilingual corpora: seconds by stage, memory, precision', 'five minutes'),
  script(
    'focus',
    'tools/bench/focus.ts',
    'what strategies and oracles find for the requests they make, on frozen webs',
    'the whole Debian web; the webs of entries',
  ),
  script(
    'text-forms',
    'tools/bench/text-forms.ts',
    'whether labels would choose the main text alone, or the lines that pages share',
    'the whole Debian web; the webs of entries',
  ),
  built('researcher', 'tools/bench/researcher.ts', 'share of a corpus on the subject, by labels, without answers and with some'),
  script('tunnels', 'tools/bench/tunnels.ts', 'recall of islands behind chains of off-topic pages'),
  script(
    'recall',
    'tools/bench/recall.ts',
    'recall by known pages, --stop-recall, forecasts and upper bounds on frozen webs',
    'the whole Debian web',
  ),
  script(
    'topics',
    'tools/bench/topics.ts',
    'wishes about subtopics against the crawl without them, by true labels',
    'twenty minutes; the whole Debian web',
  ),
  built(
    'render',
    'tools/bench/render.ts',
    'text that rendering brings, pages that auto renders, and their CPU time',
    'Chromium; five minutes',
  ),
  script(
    'align',
    'tools/bench/align.ts',
    'F1 of aligned sentences on translated manuals, by method and language',
    'the translated manuals; half an hour',
  ),
  script(
    'align-noise',
    'tools/bench/align-noise.ts',
    'sentence pairs of pages with a wrong partner that scores filter',
    'the translated manuals; ten minutes',
  ),
  script(
    'align-speed',
    'tools/bench/align-speed.ts',
    'CPU time and memory of aligning 100,000 sentence pairs, and hostile texts',
    'the translated manuals; three minutes',
  ),
  script('patience', 'tools/bench/patience.ts', 'what waiting for busy hosts brings and costs', 'five minutes'),
  script(
    'frontier',
    'tools/bench/frontier.ts',
    'leases and settlements a second with up to ten million URLs waiting',
    'half an hour, 3 GB of disk',
  ),
  script(
    'archive-index',
    'tools/bench/archive-index.ts',
    'captures of an archive indexed a CPU-second, and look-ups',
    'four minutes, 1 GB of disk',
  ),
  script(
    'refresh',
    'tools/bench/refresh.ts',
    'mean age of pages by the order of their revisits, on real and on Poisson changes',
    'histories of changes; a minute',
  ),
  script('rescore', 'tools/bench/rescore.ts', 'cost of scoring waiting links anew'),
  built(
    'readers',
    'tools/bench/readers.ts',
    'cost of status, ledger, seeds, why and harvest on crawls of up to a million URLs',
    'ten minutes, 500 MB of disk',
  ),
  built(
    'page',
    'tools/bench/page.ts',
    'what watching tabs cost a crawl, screens of a million URLs, memory of a tab',
    "Debian's chromium for the tab",
  ),
  built('seeds', 'tools/bench/seeds.ts', 'a crawl of a million seeds: time to begin and to go on, memory, disk'),
  built(
    'seed-queries',
    'tools/bench/seed-queries.ts',
    'precision at 50 of ranked lists and suggested queries, against keyword queries',
    'the Debian web; five minutes',
  ),
  script('seen', 'tools/bench/seen-cache.ts', 'hit rates of caches in front of a seen set', 'the whole Debian web'),
  built('outlook', 'tools/bench/outlook.ts', 'how far off status is about the next 1,000 visits', 'ten minutes'),
  built('polite', 'tools/bench/polite.ts', "gaps and overlaps of a crawl of 50 hosts, by the server's log", 'the Debian web'),
  built('polite-hosts', 'tools/bench/polite-hosts.ts', 'politeness toward 6,000 hosts on a virtual clock, and 200 on loopback', 'a minute'),
  built('crawl', 'tools/bench/crawl.ts', 'pages per CPU-second of a whole crawl, and where the time goes'),
  built('peers', 'tools/bench/crawl-peers.ts', 'whole crawls beside Crawlee, Scrapy, HTTrack and wget2', 'the peers, see its heading'),
  built('documents', 'tools/bench/documents.ts', 'on-topic pages of a web with PDFs that a crawl keeps, reading them and not'),
  built(
    'retraining',
    'tools/bench/retraining.ts',
    'pause and lateness of the event loop when a running crawl trains its topic again',
    'a minute',
  ),
  built('in-flight', 'tools/bench/in-flight.ts', 'how late the event loop is with a thousand requests in flight', 'Linux'),
  built(
    'machines',
    'tools/bench/machines.ts',
    'pages a second of a crawl with 1, 2 and 4 workers, and what it costs the database',
    'Linux',
  ),
  script(
    'machines-focus',
    'tools/bench/machines-focus.ts',
    'harvest rate of a crawl with 1 and 4 workers at equal visits',
    'half an hour for the generated webs',
  ),
  script('engine', 'tools/bench/engine.ts', 'settlements a second of the database of a shared crawl, and what a takeover costs', 'Linux'),
  script('protocols', 'tools/bench/protocols.ts', 'CPU time a page by HTTP/1.1, TLS and HTTP/2'),
  script(
    'topic',
    'tools/bench/topic.ts',
    'average precision of topic models on public sets, beside peers',
    "the labelled sets; Debian's python3-sklearn and fasttext for the peers",
  ),
  script(
    'keywords',
    'tools/bench/keywords.ts',
    'ranking and calibration of topics of keywords on labelled texts',
    'the labelled sets; a minute',
  ),
  script('truth', 'tools/bench/truth.ts', "how far a model's own word is from the truth", 'the labelled sets; three minutes'),
  built('reading', 'tools/bench/reading.ts', 'cost of reading a page in the core and in JavaScript, and whether both are equal'),
  script('judge', 'tools/bench/judge.ts', 'cost of training and of judging, beside fastText'),
  script('effect', 'tools/bench/extractor-effect.ts', 'what the extractor does to the topic model', 'the Debian web'),
  script('extract', 'tools/bench/extract.ts', 'F1 and speed of the main text, beside peers'),
  script('ablation', 'tools/bench/extract-ablation.ts', 'what each part of the extractor earns', 'ten minutes'),
  built(
    'clean',
    'tools/bench/clean.ts',
    'near-duplicates against all pairs, quality rules on real pages, speed and memory of filters',
    'ten minutes',
  ),
  built(
    'page-pairs',
    'tools/bench/page-pairs.ts',
    'precision and recall of page pairs against true twins, and cost of 100,000 pages',
    'the parallel web; eight minutes',
  ),
  built('link-scripts', 'tools/bench/link-scripts.ts', 'CPU time of 1 MB of links in twelve scripts, beside Latin', 'a minute'),
  script('links', 'tools/bench/links-parse5.ts', "our links against those of parse5's tree"),
];

const CHECKS: readonly Script[] = [
  script('page-urls', 'tools/quality/page-urls.ts', "URLs of forager links against those of parse5's tree", 'the Debian web, or a folder'),
  script(
    'walls',
    'tools/quality/walls.ts',
    'precision and recall of logins, consent walls and pages that need JavaScript, by labels',
    'the Debian web and pages with main text, for the real ones',
  ),
  script(
    'credits',
    'tools/quality/credits.ts',
    'dates and authors in the text of real pages against those that the pages state',
    'pages with main text',
  ),
  script(
    'manuals',
    'tools/quality/manuals.ts',
    'what the main text keeps of manuals (options, synopses, footnotes, notes), by their sources',
    'Debian packages, or apt',
  ),
  script(
    'documents-pdf',
    'tools/quality/documents-pdf.ts',
    'PDFs printed from known pages, those of a folder against poppler, and damaged ones',
    'chromium, and poppler-utils for `--folder`; some minutes',
  ),
  built(
    'printed-topics',
    'tools/quality/printed-topics.ts',
    'topics of HTML on held-out pages, as HTML and printed to PDF: average precision of both',
    'chromium, and a folder of pages by subject',
  ),
  script(
    'documents-office',
    'tools/quality/office-documents.ts',
    'EPUB, Word, OpenDocument and typed documents against their sources, damaged, and hostile',
    "Debian's pandoc for the sources; five minutes",
  ),
  script(
    'personal',
    'tools/quality/personal.ts',
    'precision and recall of harvest --personal on labelled lines of Debian packages',
    'Debian, with its /usr/share/doc',
  ),
  script('reading-digests', 'tools/soak/reading-digests.ts', 'a digest of each output of the reader: equal on two commits that read alike'),
  script('reach', 'tools/quality/reach.ts', 'lines of the sources by wing, and the files that one loads to read a part'),
  script('estimates', 'test/study/label/estimates.ts', 'how often intervals of precision hold the truth in random histories of crawls'),
  built('hostile', 'test/hostile/run.ts', 'the table of faults a crawl survives, with bounds on time and memory', 'three minutes'),
  built(
    'crash',
    'tools/soak/crash.ts',
    'kill -9 at named points and random moments, power cuts, a full disk, two processes',
    'under ten minutes',
  ),
  built('kills', 'tools/soak/kill-commands.ts', 'every command that writes, killed at 100 random moments'),
  built(
    'kill-calls',
    'tools/soak/kill-calls.ts',
    'commands that write, killed at 300 single system calls; needs strace',
    "Debian's strace",
  ),
  built(
    'kill-harvests',
    'tools/soak/kill-harvests.ts',
    'a harvest in all formats, killed at 20 moments: target absent or complete',
    'three minutes',
  ),
  built(
    'kill-documents',
    'tools/soak/kill-documents.ts',
    'a crawl of PDFs, books and services, killed at 20 moments and compared with its own end',
    'five minutes',
  ),
  built('kill-answers', 'tools/soak/kill-answers.ts', 'answers on the page of a running crawl, killed at 20 moments', 'under ten minutes'),
  built('damage', 'tools/soak/damage.ts', 'random damage to each file of a crawl directory', 'half an hour'),
  built('old-crawls', 'tools/soak/old-crawls.ts', 'twenty crawls of an earlier version, read and converted', '--base; five minutes'),
  script(
    'year',
    'tools/soak/year.ts',
    'a year of a continuous crawl on a simulated clock, with 20 kills: politeness, versions, disk',
    'ten minutes',
  ),
  built('soak', 'tools/soak/soak.ts', 'half an hour of one crawl: slopes of memory, descriptors, threads, timers', 'half an hour'),
  built(
    'machines',
    'test/machines/faults.ts',
    'a crawl on three machines under random faults: nothing lost, nothing twice',
    "eight minutes; the right to mount, Debian's faketime",
  ),
  built(
    'machine-moves',
    'test/machines/moves.ts',
    'which partitions move when one of three workers is killed and a fourth joins, in seconds',
    'three minutes',
  ),
  script(
    'install',
    'tools/soak/install.ts',
    'pack Forager, install it as its users do, and use it on two Nodes',
    'the package registry; a minute',
  ),
  script('weights', 'tools/soak/weights.ts', 'megabytes of each dependency that users install'),
  helping(built('tests', 'tools/scripts/whole-tests.ts', 'all tests in their whole extent: npm test runs a sample of what is long')),
  built('long-tests', 'tools/scripts/long-tests.ts', 'the long tests, which npm test omits, until a time is over', 'ten minutes'),
  built('slow-tests', 'tools/scripts/slow-tests.ts', 'tests of npm test over two seconds that are not in the list', 'five quiet minutes'),
  helping(script('properties', 'tools/scripts/properties.ts', 'property tests with inputs that npm test does not draw')),
  script('mutation', 'tools/mutation/run.ts', 'how many small changes of the sources the tests notice'),
  script('fuzz', 'tools/soak/fuzz-extract.ts', 'mutated pages against the whole extractor'),
  script('prose', 'test/docs/prose-report.ts', 'length of sentences and phrases to avoid in README and docs'),
  script('names', 'test/docs/names-report.ts', 'names and docstrings of the sources that break the style sheet, with their places'),
  script('charset', 'test/base/web/charset-table.ts', '33 encodings, declared and not'),
  script('robots', 'test/base/web/robots-compare.ts', '2,111 real robots.txt files, beside robots-parser', 'the files of robots.txt'),
];

const DATA: readonly Script[] = [
  helping(script('web-build', 'datasets/debian-web/build.ts', 'build the Debian web out of packages')),
  helping(script('web-serve', 'datasets/debian-web/serve.ts', 'serve the Debian web as a proxy')),
  helping(script('topics-build', 'datasets/topics/build.ts', 'build the labelled sets')),
  helping(script('parallel-text-build', 'datasets/parallel-text/build.ts', 'build the translated manuals', '20 MB to download, a minute')),
  helping(
    script(
      'word-vectors-build',
      'datasets/word-vectors/build.ts',
      'build the word vectors of the topic model',
      '42 MB to download, two minutes',
    ),
  ),
  helping(script('entries-build', 'datasets/entry-web/build.ts', 'build the webs of entries: dictionaries, mails, packages')),
  helping(
    script(
      'parallel-build',
      'datasets/parallel-web/build.ts',
      'build the parallel web: manuals in several languages',
      '600 MB to download, a minute',
    ),
  ),
  script('train-extractor', 'datasets/extractor/train.ts', 'train the block model of the extractor'),
];

export const TABLES = { bench: BENCHES, check: CHECKS, data: DATA } as const;
export type TableName = keyof typeof TABLES;
