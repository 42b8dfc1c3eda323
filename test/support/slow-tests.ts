import type { Ms } from '../../src/base/core/types.ts';

/** A test of `npm test` that takes longer has its row below, or is a `wholeTest`. On a quiet machine of two cores. */
export const SLOW: Ms = 2000;

export interface SlowTest {
  readonly file: string;
  /** Its name, with those of the groups around it. */
  readonly test: string;
  /** Why it takes its time. */
  readonly why: string;
}

/** At most 60. */
export const SLOW_TESTS: readonly SlowTest[] = [
  {
    file: 'test/base/disk/lock.test.ts',
    test: 'of those who would take over a lock, one does many processes at once, again and again, with OS locks',
    why: 'races of four processes need rounds',
  },
  {
    file: 'test/corpus/harvest/hostile-pages.test.ts',
    test: 'hostile pages: all files are UTF-8, and each line of JSON is well-formed Unicode',
    why: 'a corpus in every format',
  },
  {
    file: 'test/crawling/crawl/crash.test.ts',
    test: 'a crawl killed at named points ends as the same crawl left alone',
    why: 'crawls killed at every named point',
  },
  {
    file: 'test/crawling/crawl/traps.test.ts',
    test: 'a crawl that was stopped goes on in the same order, and has the same patterns parked',
    why: 'the same 700 visits at once and in four parts',
  },
  {
    file: 'test/crawling/crawl/traps.test.ts',
    test: 'a trap takes less than 2 % of 2,000 requests random, web 2, texts judged on topic: one in 4',
    why: '2,000 visits of a web with traps',
  },
  {
    file: 'test/crawling/monitor/headroom.test.ts',
    test: 'in a real heap: full of what is needed it is told in time, full of garbage it is not',
    why: 'a real heap has to fill',
  },
  {
    file: 'test/docs/examples.test.ts',
    test: 'they run, one after the other, and print what they are about',
    why: 'every example of the documents',
  },
  {
    file: 'test/faces/app/cluster-worker.test.ts',
    test: 'a crawl in PostgreSQL is paused, resumed and stopped on all machines, continues when a worker joins, and is dropped when none is left',
    why: 'a pause has to last to be seen',
  },
  {
    file: 'test/faces/app/cluster-worker.test.ts',
    test: 'a crawl in PostgreSQL of two workers visits each page once, and both end when nothing waits',
    why: 'two workers until nothing waits',
  },
  {
    file: 'test/faces/app/freeze-crawl.test.ts',
    test: 'a recorded crawl freezes to what the web has: every page, all links, every end',
    why: 'a whole crawl and its copy',
  },
  {
    file: 'test/faces/app/politeness.test.ts',
    test: '30 hosts on loopback: no overlap, no gap under the delay, Retry-After and Crawl-delay obeyed',
    why: 'gaps between real requests to many hosts',
  },
  {
    file: 'test/faces/cli/ask.test.ts',
    test: 'questions at their visits: stored, announced, shown first by label, and closed by answers of any way',
    why: 'a crawl, its questions and the answers to them',
  },
  {
    file: 'test/faces/cli/compact.test.ts',
    test: 'the ledger is the same after, and so is a crawl that goes on',
    why: 'a crawl that goes on, compacted and not',
  },
  {
    file: 'test/faces/cli/cookie-walls.test.ts',
    test: 'with cookies, what they open is kept, and the rest is named a wall',
    why: 'a training, a crawl and its harvest',
  },
  {
    file: 'test/faces/cli/crawl.test.ts',
    test: 'Ctrl-C: pages in flight are finished, every URL is accounted for, the same command goes on',
    why: 'a process and its signal, then the rest of the crawl',
  },
  {
    file: 'test/faces/cli/extract.test.ts',
    test: 'JSON lines and a gzipped page on standard input',
    why: 'two processes that read standard input',
  },
  {
    file: 'test/faces/cli/fields.test.ts',
    test: 'crawl --fields: the rules go with the crawl, their values with its corpus, and a resumed crawl has the same',
    why: 'three runs of one crawl and their corpus',
  },
  {
    file: 'test/faces/cli/grounds.test.ts',
    test: 'the end of a crawl, status, harvest and card say that precision is not measured, until answers measure it',
    why: 'a crawl and all places that show its figures',
  },
  {
    file: 'test/faces/cli/hosts.test.ts',
    test: 'credentials go to their hosts alone, robots.txt too, and stand in nothing that a crawl keeps or says; the file is read at each run',
    why: 'four runs with another file each',
  },
  {
    file: 'test/faces/cli/label.test.ts',
    test: 'labels of a file: stored, trained with, and the crawl judged anew',
    why: 'a training and a crawl judged anew',
  },
  {
    file: 'test/faces/cli/link-model.test.ts',
    test: 'a crawl that begins with it follows other links, keeps it when it goes on, and explains priorities by it',
    why: 'two crawls, with a model of links and without',
  },
  {
    file: 'test/faces/cli/operations.test.ts',
    test: '--metrics: what the crawl does, its health, and each visit under way',
    why: 'a running process and its HTTP endpoint',
  },
  {
    file: 'test/faces/cli/revisit.test.ts',
    test: 'each kept page is asked for once more, what it came to is noted and told, and a harvest takes the newest version',
    why: 'runs of one crawl, each at a later time',
  },
  {
    file: 'test/faces/cli/stop-yield.test.ts',
    test: 'a crawl stops by its yield, stays stopped when it is resumed, and goes on by another limit or none',
    why: 'four runs of one crawl',
  },
  {
    file: 'test/faces/cli/train.test.ts',
    test: 'from a folder, a .jsonl, a .warc.gz and a file of URLs: model, weights and card',
    why: 'four trainings, of each form of input',
  },
  {
    file: 'test/faces/cli/visit-order.test.ts',
    test: 'visits by chance are the same after a stop, and status tells what they say of what waits',
    why: '120 visits at once and in two parts',
  },
  {
    file: 'test/faces/cli/warm-up.test.ts',
    test: 'after the warm-up the crawl trains itself once, without an answer of anybody, and continues under the new model',
    why: 'a process that trains itself',
  },
  {
    file: 'test/faces/cli/working.test.ts',
    test: 'extract says something within two seconds, although its input is slow',
    why: 'a second to wait for output, and a start of the program beside it',
  },
  {
    file: 'test/faces/web-ui/browser.test.ts',
    test: 'a hostile crawl: no script runs, nothing is loaded from elsewhere, no rule of the page is broken',
    why: 'a browser',
  },
  {
    file: 'test/faces/web-ui/browser.test.ts',
    test: 'axe finds no serious violation on any screen, light and dark, wide and narrow; nothing is wider than the window',
    why: 'a browser, every screen in three widths',
  },
  {
    file: 'test/faces/web-ui/corpus-and-seeds.test.ts',
    test: 'Seeds: hosts and pages are those of findSeeds, with reasons and citing pages',
    why: 'a work process of the page',
  },
  {
    file: 'test/faces/web-ui/label-passes.test.ts',
    test: 'a grid of twelve: the next questions of the library, one form, the labels of twelve single answers, one undo',
    why: 'a page and a terminal that answer the same',
  },
  {
    file: 'test/faces/web-ui/label-people.test.ts',
    test: 'two people have questions of their own, their names on their answers, and an undo of their own answers alone',
    why: 'a page and a terminal at once',
  },
  {
    file: 'test/faces/web-ui/label.test.ts',
    test: 'the grid by keys: Space unchecks a card, Enter stores all answers, u takes them back; a key in a field is text',
    why: 'a browser',
  },
  {
    file: 'test/faces/web-ui/last-pages.test.ts',
    test: 'wrong: the opposite of the verdict, as a line of a file of labels; the crawl is free again',
    why: 'a running crawl and its page',
  },
  {
    file: 'test/faces/web-ui/late-seeds.test.ts',
    test: 'a crawl that waits for a resting host asks that of the seed at once; an empty list adds nothing',
    why: 'a running crawl and its page',
  },
  {
    file: 'test/faces/web-ui/overview.test.ts',
    test: 'pause: no request starts; what the page shows then is what status says; go on; stop',
    why: 'a running crawl and its page',
  },
  {
    file: 'test/faces/web-ui/page-states.test.ts',
    test: 'stopped work is neither running nor failed, and another begins only once its process has ended',
    why: 'two work processes of the page',
  },
  {
    file: 'test/hostile/crawl.test.ts',
    test: 'a crawl of every fault, each on a host of its own: each ends with its reason, and the crawl goes on to its end',
    why: 'a whole crawl of all faults',
  },
  {
    file: 'test/reading/extract/fuzz.test.ts',
    test: 'mutated pages: no throw, none over the cap, every result as promised, the same in the core',
    why: 'mutated pages against two readers',
  },
  {
    file: 'test/reading/wasm-reader/no-simd.test.ts',
    test: 'golden pages: the same records, Markdown and explanations',
    why: 'a Node without SIMD',
  },
  {
    file: 'test/study/label/judge/language-judge.test.ts',
    test: 'all of that by turns: each budget holds to the call, and every usable answer is stored',
    why: 'all turns of a judge with budgets',
  },
  {
    file: 'test/study/label/label-histories.test.ts',
    test: 'in random histories each random answer counts, and the intervals hold the truth',
    why: 'intervals need some histories',
  },
  {
    file: 'test/study/label/labelling.test.ts',
    test: 'a relabelled crawl goes on by the command that began it: what was reopened waits at its relevance, is judged by the new model, and is kept',
    why: 'a training, and the rest of the crawl',
  },
  {
    file: 'test/corpus/harvest/clean-corpus.test.ts',
    test: 'with every filter, each page is in the corpus or omitted for one reason, and the counts add up',
    why: 'a corpus of 420 pages through every filter',
  },
  {
    file: 'test/crawling/input/fetch-list.test.ts',
    test: 'a robots.txt that cannot be had is asked for twice, and the URLs given up at once',
    why: 'two seconds between two requests',
  },
  {
    file: 'test/crawling/input/fetch-list.test.ts',
    test: 'one that answers the second time is obeyed',
    why: 'two seconds between two requests',
  },
  {
    file: 'test/crawling/reader/read-pool.test.ts',
    test: 'a page is not failed for the time that the process was stopped',
    why: 'a process that is stopped for a while',
  },
  {
    file: 'test/faces/app/answer-command.test.ts',
    test: 'a program that hangs is killed with its children after the time, and one that floods after a megabyte',
    why: 'a program has to hang until its time is over',
  },
  {
    file: 'test/faces/app/read-crawl.test.ts',
    test: 'mayFetch holds a crawl as long as it answers false',
    why: 'a crawl has to wait to be seen waiting',
  },
  {
    file: 'test/faces/web-ui/browser.test.ts',
    test: 'a button of the page does what it says: the browser sends its form with our own origin',
    why: 'a browser',
  },
  {
    file: 'test/faces/web-ui/slow-answers.test.ts',
    test: 'a navigation gets a screen that asks again by itself; scripts and who says so wait for the answer',
    why: 'answers that take longer than a screen waits',
  },
  {
    file: 'test/study/label/label-vectors.test.ts',
    test: 'from 20 labels on, the card has the choice that they made; the data remember what was asked for',
    why: 'trainings with word vectors and without',
  },
  {
    file: 'test/reading/topic/guessed-rows.test.ts',
    test: 'a weight of nothing teaches nothing: the calibration is that of the certain rows',
    why: 'two trainings',
  },
  {
    file: 'test/faces/cli/known.test.ts',
    test: 'the share of listed pages is no recall, in words and in JSON',
    why: 'a crawl goes on',
  },
  {
    file: 'test/faces/cli/known.test.ts',
    test: 'a crawl stops once its known pages show the recall; status tells it, and what is missing',
    why: 'a crawl until its known pages are found',
  },
  {
    file: 'test/function-lengths.test.ts',
    test: 'no function has more than 60 lines but those with a reason, and each of these has',
    why: 'all sources are parsed',
  },
  {
    file: 'test/faces/web-ui/troubles.test.ts',
    test: 'failures of the last ten minutes are those of the ledger; a seed without a page is named',
    why: 'a crawl and its page',
  },
  {
    file: 'test/faces/app/documents-by-rule.test.ts',
    test: 'a rule keeps descriptions of services alone, each with its operations',
    why: 'a crawl of documents and its corpus',
  },
  {
    file: 'test/faces/web-ui/crawl-cache.test.ts',
    test: 'links are explained with the lessons of that time, before a survey and after one',
    why: 'surveys of a crawl that goes on',
  },
];
