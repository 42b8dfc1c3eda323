/** Before each test file. What it imports runs once a process, also where test files share one. */
import './property-seed.ts';
import './equal-bytes.ts';
