// A crawl that dies by SIGKILL at its first event of a type once enough URLs are settled. Arguments: the crawl's options as JSON, the type, their number.
import { crawl } from 'forager';

const [options = '{}', type = '', enough = '0'] = process.argv.slice(2);
let settled = 0;
const onEvent = (event) => {
  if (event.type === 'settled' && event.fate !== null) settled += 1;
  if (event.type === type && settled >= Number(enough)) process.kill(process.pid, 'SIGKILL');
};
await crawl({ ...JSON.parse(options), onEvent });
