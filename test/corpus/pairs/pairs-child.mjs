// Writes sentence pairs with the options of the first argument, and kills itself at a step. Prints the number of its steps at the end.
import { sentencePairs } from '../../../dist/faces/app/sentence-pairs.js';

const [options = '', killAt = '0'] = process.argv.slice(2);
let steps = 0;
await sentencePairs({
  ...JSON.parse(options),
  progress() {
    steps += 1;
    if (steps === Number(killAt)) process.kill(process.pid, 'SIGKILL');
  },
});
process.stdout.write(`${steps}\n`);
