// A build starts from nothing: a file that was deleted must not live on in dist.
import { rmSync } from 'node:fs';

rmSync('dist', { recursive: true, force: true });
