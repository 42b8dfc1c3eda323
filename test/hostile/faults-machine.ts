/** S1 to S10: what the machine and its user do. */
import { inFile, PROCESSES, QUICK, REQUEST } from './fault-lines.ts';
import type { FaultTest } from './faults.ts';

// biome-ignore format: one line for each test
export const MACHINE: readonly FaultTest[] = [
  ...inFile('test/crawling/crawl/crash.test.ts', PROCESSES, [
    ['S1', 'kill -9 at random moments', 'a crawl killed and resumed, once or more, ends as the same crawl left alone', 'nothing lost, nothing twice'],
    ['S1', 'kill -9 at named points', 'a crawl killed at named points ends as the same crawl left alone', 'nothing lost, nothing twice'],
  ]),
  ...inFile('test/faces/cli/crawl.test.ts', PROCESSES, [
    ['S2', 'corpus shorter than was committed', 'corpus files shorter than was committed: exit 3, and it ends', 'exit code 3'],
    ['S2', 'frontier cut short', 'a frontier that is cut short: exit 3, and the corpus stays', 'exit code 3, the corpus stays'],
    ['S5', 'a second process', 'a second process on a crawl is refused, the first goes on', 'refused'],
    ['S5', 'a stale lock', 'the lock of a dead process is taken over', 'taken over'],
    ['S6', 'a damaged crawl.json', 'a damaged crawl.json, and one of a newer format', 'refused, named'],
    ['S8', 'SIGINT', 'Ctrl-C: pages in flight are finished, every URL is accounted for, the same command goes on', 'exit code 130, goes on'],
    ['S8', 'SIGINT twice', 'Ctrl-C twice: it ends at once, and can still go on', 'exit code 130, goes on'],
  ]),
  ...inFile('test/faces/cli/no-space.test.ts', PROCESSES, [
    ['S3', 'no room for the corpus', 'a crawl whose corpus fills the disk goes on when there is room: nothing lost, nothing twice', 'exit code 3, goes on'],
    ['S3', 'no room for the frontier', 'a crawl whose frontier fills the disk goes on when there is room: nothing lost, nothing twice', 'exit code 3, goes on'],
  ]),
  ...inFile('test/faces/cli/operations.test.ts', PROCESSES, [
    ['S3', 'less room than is to stay free', '--min-free: a crawl without room waits, ends in the end with exit code 3, and goes on when there is room', 'waits, exit code 3, goes on'],
    ['S3', 'few descriptors', 'more requests at once than there are file descriptors for: fewer, with a warning', 'fewer at once, with a warning'],
    ['S8', 'SIGTERM', 'SIGTERM: as Ctrl-C, visits in flight are finished and stored', 'as SIGINT'],
    ['S8', 'SIGHUP', 'SIGHUP: as Ctrl-C, visits in flight are finished and stored', 'as SIGINT'],
    ['S8', 'standard output and error closed', 'nobody reads standard output and standard error any more: the crawl ends as ever (max-pages)', 'goes on to its end'],
  ]),
  ...inFile('test/hostile/machine.test.ts', REQUEST, [
    ['S3', 'EDQUOT', 'EDQUOT ends the crawl with one line that names what it was about', 'ends, with what to do'],
    ['S3', 'EROFS', 'EROFS ends the crawl with one line that names what it was about', 'ends, named'],
    ['S3', 'permission denied', 'EACCES ends the crawl with one line that names what it was about', 'ends, named'],
    ['S3', 'EMFILE', 'EMFILE is no fault of the web: it ends the crawl, and says what to raise', 'ends, with what to do'],
    ['S3', 'ENFILE', 'ENFILE is no fault of the web: it ends the crawl, and says what to raise', 'ends, with what to do'],
  ]),
  ...inFile('test/crawling/fetch/failures.test.ts', REQUEST, [
    ['S9', 'line ends and control characters in what a server says', 'breakageOf > details are one short line', 'one line'],
  ]),
  ...inFile('test/hostile/clock.test.ts', QUICK, [
    ['S4', 'set on by a day', 'a host rests as long as it would when the clock is set on by a day', 'as long as it would'],
    ['S4', 'set back by a day', 'a host rests as long as it would when the clock is set back by a day', 'as long as it would'],
    ['S4', 'the clock itself', 'the clock of a crawl starts with the machine’s and goes by its monotonic one', 'monotonic'],
  ]),
  ...inFile('test/base/disk/lock.test.ts', PROCESSES, [
    ['S5', 'a lock of a process id used again', 'a stale lock is taken over at once > of a process id that was used again', 'taken over'],
    ['S5', 'many processes at once', 'of those who would take over a lock, one does > many processes at once, again and again, with OS locks', 'one gets it'],
    ['S5', 'a lock of another machine, or of one that was restarted', 'a lock of which the system cannot tell > of another boot is refused with the way out, and stays', 'refused, with what to do'],
    ['S5', 'a lock that was taken over meanwhile', 'a lock that was lost > to another process: nothing may be written any more, and what is there stays', 'ends, with what to do'],
  ]),
  ...inFile('test/faces/cli/two-containers.test.ts', PROCESSES, [
    ['S5', 'two containers on one volume', 'in PID namespaces of their own > a second crawl on a directory is refused, so is any other writer; the first is not disturbed, and nothing is there twice', 'refused'],
  ]),
  ...inFile('test/faces/cli/command-line.test.ts', PROCESSES, [
    ['S6', 'wrong units', 'forager crawl --delay fast is refused, with what may be written', 'refused, with what may be written'],
    ['S6', 'a wrong value', 'forager crawl --strategy best is refused, with what may be written', 'refused, with what may be written'],
  ]),
  ...inFile('test/crawling/fetch/host-settings-file.test.ts', QUICK, [
    ['S6', 'a key that is none', 'a key that is none is refused', 'refused'],
    ['S6', 'no YAML', 'no YAML is refused', 'refused'],
  ]),
  ...inFile('test/hostile/stdin.test.ts', PROCESSES, [
    ['S8', 'standard input closed', 'standard input that is closed, or never ends, is nothing to a crawl', 'goes on to its end'],
  ]),
  ...inFile('test/faces/cli/ledger-status.test.ts', PROCESSES, [['S8', 'EPIPE', 'a reader that stops reading is no error', 'exit code 0']]),
  ...inFile('test/faces/cli/terminal-text.test.ts', QUICK, [
    ['S9', 'escapes for a terminal in what a page says', 'what a page could do to a terminal is taken out; the text stays as long as it was', 'taken out'],
  ]),
  ...inFile('test/faces/cli/hosts.test.ts', PROCESSES, [
    ['S10', 'credentials in all that a crawl keeps', 'credentials go to their hosts alone, robots.txt too, and stand in nothing that a crawl keeps or says; the file is read at each run', 'nowhere'],
  ]),
];
