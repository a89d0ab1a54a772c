import { defineConfig } from 'vitest/config';

// biome-ignore lint/style/noDefaultExport: that is where vitest looks
export default defineConfig({ test: { include: ['test/live/**/*.live.ts'], testTimeout: 60_000 } });
