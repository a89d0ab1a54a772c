import type { MutationSet } from './mutation.ts';

const eventWorker = 'src/deliveries/event-worker.ts';
const breaker = 'src/deliveries/circuit-breaker.ts';
const stateWorker = 'src/deliveries/state-worker.ts';
const forgetWorker = 'src/deliveries/forget-worker.ts';
const enqueue = 'src/deliveries/enqueue.ts';
const view = 'src/deliveries/view.ts';

export const deliveries: MutationSet = {
  module: 'deliveries',
  tests: [
    'src/deliveries/call.test.ts',
    'src/deliveries/coalesce.test.ts',
    'src/deliveries/deliveries.test.ts',
    'src/deliveries/event-worker.test.ts',
    'src/deliveries/fairness.test.ts',
    'src/deliveries/forget-worker.test.ts',
    'src/deliveries/in-flight.test.ts',
    'src/deliveries/circuit-breaker.test.ts',
    'src/deliveries/retry.test.ts',
    'src/deliveries/state-worker.test.ts',
    'src/deliveries/strip.test.ts',
    'src/deliveries/view.test.ts',
  ],
  mutations: [
    {
      file: eventWorker,
      find: '!failed.has(one.id) && !inFlight.holds(one)',
      replace: '!failed.has(one.id)',
      harm: 'what is on its way is delivered a second time beside it',
    },
    {
      file: eventWorker,
      find: "if (isOld && breaker.mode === 'open') await parts.intake.takeMore();",
      replace: '',
      harm: 'a clinic waits until thousands of another’s changes are delivered',
    },
    {
      file: eventWorker,
      find: 'if (hasNews && !(isFull && known.isWaiting))',
      replace: 'if (hasNews && !isFull)',
      harm: 'a clinic waits while another fills what may wait',
    },
    {
      file: eventWorker,
      find: 'await store.deliveries.hasten(connector, instant(clock.now()));',
      replace: 'void 0;',
      harm: 'a clock that was set back delays deliveries by days',
    },
    {
      file: eventWorker,
      find: "if (failure.kind === 'refused' && failure.status === 410) {",
      replace: "if (failure.kind === 'refused' && failure.status === 418) {",
      harm: 'a receiver that is gone for good loses event after event',
    },
    {
      file: eventWorker,
      find: 'if (isProbe) return retryIn(PROBE_EVERY_MS);',
      replace: '',
      harm: 'the oldest event is given up while its receiver is down',
    },
    {
      file: eventWorker,
      find: "if (failure.kind !== 'refused') {\n    const { schedule } = parts",
      replace: 'if (failure.status !== 410) {\n    const { schedule } = parts',
      harm: 'an event that is refused for good blocks its thing for days',
    },
    {
      file: breaker,
      find: 'this.#askedUntil = now + Math.min(retryAfterMs, LONGEST_RETRY_AFTER_MS);',
      replace: '{}',
      harm: 'a busy receiver is called on and on',
    },
    {
      file: breaker,
      find: 'if (byWall < 0 && this.#failedAt === undefined) return 0;',
      replace: '',
      harm: 'a clock that was set back delays the hourly try',
    },
    {
      file: enqueue,
      find: 'const sequence = await store.changes.latest(clinic);\n  const at',
      replace: 'const sequence = 0;\n  const at',
      harm: 'a new connector gets the whole history beside the present state',
    },
    {
      file: enqueue,
      find: "if (cause instanceof Failure && cause.kind === 'transient') throw cause;",
      replace: '',
      harm: 'a connector whose process restarts looks broken',
    },
    {
      file: enqueue,
      find: 'if (includePatient || !changes.some(({ resource }) => isAboutPatients(resource))) return changes;',
      replace: 'if (includePatient || changes.length > 0) return changes;',
      harm: 'patients are delivered to a connector that may not see them',
    },
    {
      file: enqueue,
      find: '[instance, connector, replays, clinic,',
      replace: '[instance, connector, clinic,',
      harm: 'a replay that was asked for is dropped as known',
    },
    {
      file: 'src/store/sql/deliveries/deliveries.ts',
      find: '(await replaysOf(trx, connector, clinic)) > replays',
      replace: '(await replaysOf(trx, connector, clinic)) < 0',
      harm: 'a replay is undone by the daemon that takes changes at that moment',
    },
    {
      file: 'src/deliveries/retry.ts',
      find: 'jittered(Math.max(wait, named), FIFTH_LATER, random)',
      replace: 'jittered(wait, FIFTH_LATER, random)',
      harm: 'a retry comes before the receiver wants it',
    },
    {
      file: 'src/deliveries/coalesce.ts',
      find: "change.resource === 'booking' ?",
      replace: "change.resource === 'website' ?",
      harm: 'steps of a booking are left out',
    },
    {
      file: 'src/deliveries/coalesce.ts',
      find: '{ ...later.previous, ...earlier.previous }',
      replace: '{ ...earlier.previous, ...later.previous }',
      harm: 'a merged change names the wrong former value',
    },
    {
      file: breaker,
      find: 'return isOutage(failuresInARow) && nowMs - since >= DAY;',
      replace: 'return isOutage(failuresInARow);',
      harm: 'a receiver that restarts is paused at once',
    },
    {
      file: stateWorker,
      find: 'if (this.#isStuck) return',
      replace: 'if (this.#failures > 1_000) return',
      harm: 'two runs write the same file at once',
    },
    {
      file: stateWorker,
      find: 'for (const [clinic, sequence] of unfinished ? [] : reached)',
      replace: 'for (const [clinic, sequence] of reached)',
      harm: 'a run that was cut short counts as done',
    },
    {
      file: stateWorker,
      find: 'this.#failures += 1;\n    this.#isWanted = true;',
      replace: 'this.#failures += 1;',
      harm: 'a failed run is not repeated until something changes',
    },
    {
      file: forgetWorker,
      find: '.filter(({ clinic }) => clinics.includes(clinic));',
      replace: ';',
      harm: 'a connector hears of appointments of another clinic',
    },
    {
      file: forgetWorker,
      find: 'await call(options, (bounded)',
      replace:
        'await store.deliveries.report(connector, { forgotten: last.n });\n      await call(options, (bounded)',
      harm: 'an erasure that failed is not tried again',
    },
    {
      file: forgetWorker,
      find: 'if (!(await store.clearLog())) throw logKept();',
      replace: 'await store.clearLog();',
      harm: 'an erasure counts as done while the database’s log still has the person',
    },
    {
      file: view,
      find: "const rows = table === 'bookings' ? stored.map(withoutHashes) : stored;",
      replace: 'const rows = stored;',
      harm: 'a connector sees the evidence of bookings',
    },
    {
      file: 'src/store/sql/bookings/booking-reads.ts',
      find: 'rows.filter((row) => row.source === source || theirs.has(row.ref));',
      replace: 'rows;',
      harm: 'a connector reads the bookings of another',
    },
    {
      file: 'src/deliveries/strip.ts',
      find: 'message = message.replaceAll(secret,',
      replace: 'message = message.replace(secret,',
      harm: 'a message names the patient a second time',
    },
  ],
};

export const csv: MutationSet = {
  module: 'csv',
  tests: [
    'connectors/csv/csv.test.ts',
    'connectors/csv/files.test.ts',
    'connectors/csv/with-store.test.ts',
    'connectors/csv/export',
    'connectors/csv/inbox',
  ],
  mutations: [
    {
      file: 'src/platform/text/formula-guard.ts',
      find: 'return formulaStart.test(text) ?',
      replace: "return text.startsWith('==') ?",
      harm: 'a name in a file runs as a formula',
    },
    {
      file: 'connectors/csv/files.ts',
      find: 'await synced(handle);\n      await handle.close();\n      await rename(temporary, path);',
      replace: 'await handle.close();\n      await rename(temporary, path);',
      harm: 'a power cut leaves an empty file in place of the old one',
    },
    {
      file: 'connectors/csv/files.ts',
      find: "if (mode !== 0o600 || from === 'copy') await handle.chmod(mode).catch(() => {});",
      replace: '',
      harm: 'files are not readable for those the setting names',
    },
    {
      file: 'connectors/csv/inbox/book-rows.ts',
      find: 'if (row <= done) continue;',
      replace: '',
      harm: 'rows are handed in a second time after a crash',
    },
    {
      file: 'connectors/csv/inbox/book-rows.ts',
      find: "if (error instanceof Failure && error.kind === 'refused') return { refused: error.message };",
      replace: '',
      harm: 'one row that is refused stops every later file',
    },
    {
      file: 'connectors/csv/inbox/book-rows.ts',
      find: 'const known = reading.clinic !== undefined && clinics.includes(reading.clinic);',
      replace: 'const known = reading.clinic !== undefined;',
      harm: 'a mistyped clinic loses the lead',
    },
    {
      file: 'connectors/csv/inbox/content/row.ts',
      find: 'if (cells.slice(headers.length).some',
      replace: 'if (cells.slice(headers.length + 1).some',
      harm: 'a note with a comma shifts the fields of a booking',
    },
    {
      file: 'connectors/csv/inbox/take-back.ts',
      find: 'size !== reading.size || mtimeMs !== reading.mtimeMs',
      replace: 'reading.size < 0',
      harm: 'rows written after the file was read are lost',
    },
    {
      file: 'connectors/csv/inbox/take-file.ts',
      find: "if (fates.length < file.rows) return 'more';",
      replace: '',
      harm: 'a long file is put away half read',
    },
    {
      file: 'connectors/csv/inbox/forget-rows.ts',
      find: 'await ledger.rename(stem, { sha256: hash, fates: kept, reading });',
      replace: '',
      harm: 'a cleaned file that is dropped again is booked again',
    },
    {
      file: 'connectors/csv/inbox/forget-rows.ts',
      find: '(row) => isForgotten(fates[row])',
      replace: '() => false',
      harm: 'an erased patient stays in the file of the inbox',
    },
    {
      file: 'connectors/csv/inbox/forget-rows.ts',
      find: 'if (reading) {',
      replace: 'if (reading && signal.aborted) {',
      harm: 'what a writer adds after someone in its file was erased is lost',
    },
    {
      file: 'connectors/csv/export/patch-file.ts',
      find: 'return bytesRead === expected.length && found.equals(expected);',
      replace: 'return bytesRead === expected.length;',
      harm: 'a line changed by hand stays in the log',
    },
    {
      file: 'connectors/csv/export/change-file.ts',
      find: '// Unset until written, so that after a failure the next run compares everything.\n  state.progress = undefined;',
      replace: '',
      harm: 'a disk that was full leaves a half line in the log',
    },
    {
      file: 'connectors/csv/export/change-file.ts',
      find: '...reached, bytes, hash }',
      replace: '...reached, bytes }',
      harm: 'after somebody was erased, the manifest has the hash of another file',
    },
    {
      file: 'connectors/csv/export/change-file.ts',
      find: 'change?.sequence === sequence ? [rowOf(change, includePatient)] : []',
      replace: 'change ? [rowOf(change, includePatient)] : []',
      harm: 'a line that the log no longer has becomes another one, twice',
    },
    {
      file: 'connectors/csv/export/erased-lines.ts',
      find: 'rest = text.subarray(-overlap);',
      replace: 'rest = text.subarray(0, 0);',
      harm: 'an erased person stays where two stretches of the file meet',
    },
    {
      file: 'connectors/csv/export/table-file.ts',
      find: 'memo.rewrite.length > 0 ? 0 : parts.pauses.waitMs()',
      replace: 'parts.pauses.waitMs()',
      harm: 'an erased person stays in a file that was just written, which counts as done',
    },
    {
      file: 'connectors/csv/export/change-file.ts',
      find: 'fields : withoutPatient(fields, () => true);',
      replace: 'fields : fields;',
      harm: 'patients stand in a log that may not name them',
    },
    {
      file: 'connectors/csv/export/table-file.ts',
      find: 'left !== undefined && left === known.stamp &&',
      replace: 'left !== undefined &&',
      harm: 'a table changed by hand is patched into nonsense',
    },
    {
      file: 'connectors/csv/export/table-file.ts',
      find: 'if (through === known.through) return true;',
      replace: 'return true;',
      harm: 'of many changes only the first reach the table',
    },
    {
      file: 'connectors/csv/export/saved-state.ts',
      find: "?.digest('hex') === wanted;",
      replace: "?.digest('hex') !== undefined;",
      harm: 'a table changed by hand while the daemon was down stays as it is',
    },
    {
      file: 'connectors/csv/export/clinic-export.ts',
      find: 'if (sha256(await readFile(path)) === ours) await rm(path);',
      replace: 'await rm(path);',
      harm: 'a file of the user is deleted when the format changes',
    },
  ],
};
