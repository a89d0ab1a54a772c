import type { MutationSet } from './mutation.ts';

const roles = 'src/http/access/roles.ts';
const hosts = 'src/http/access/hosts.ts';
const proxies = 'src/http/limits/proxies.ts';
const allowance = 'src/http/limits/allowance.ts';
const limits = 'src/http/limits/intake-limits.ts';
const formHour = 'src/http/limits/form-hour.ts';
const access = 'src/http/access/access.ts';
const sessions = 'src/http/access/sessions.ts';
const gate = 'src/http/access/authorization.ts';
const strangers = 'src/http/access/public-status.ts';
const cookies = 'src/http/access/cookies.ts';
const flow = 'src/http/sign-in/flow.ts';
const claims = 'src/http/sign-in/claims.ts';
const oidc = 'src/http/sign-in/oidc.ts';
const live = 'src/http/routes/live.ts';

export const http: MutationSet = {
  module: 'http',
  tests: [
    'src/http/people.test.ts',
    'src/http/routes/admin.test.ts',
    'src/http/limits/allowance.test.ts',
    'src/http/http.test.ts',
    'src/http/routes/intake.test.ts',
    'src/http/limits/intake-limits.test.ts',
    'src/http/routes/live.test.ts',
    'src/http/routes.test.ts',
    'src/http/access/public-status.test.ts',
    'src/http/multipart.test.ts',
    'src/http/sign-in/oidc.test.ts',
  ],
  mutations: [
    {
      file: flow,
      find: "key === '' || !sameSecret(proof, derived(key, 'state', body))",
      replace: "key === ''",
      harm: 'a state of another browser is taken',
    },
    {
      file: flow,
      find: 'Number.parseInt(until, 36) <= now',
      replace: 'until === undefined',
      harm: 'a sign-in may take for ever',
    },
    {
      file: claims,
      find: "claim === 'email' && String(claims.email_verified) !== 'true'",
      replace: 'false',
      harm: 'whoever claims an address has its role',
    },
    {
      file: claims,
      find: 'roles.findLast(',
      replace: 'roles.find(',
      harm: 'of several roles the lowest counts',
    },
    {
      file: oidc,
      find: '    client.enableNonRepudiationChecks(configuration);\n',
      replace: '',
      harm: 'no signature is checked',
    },
    {
      file: roles,
      find: "?.[0] ?? 'admin';",
      replace: "?.[0] ?? 'viewer';",
      harm: 'a viewer may do what only an admin may',
    },
    {
      file: roles,
      find: '(role !== undefined && atLeast(role, need));',
      replace: 'role !== undefined;',
      harm: 'each role may do everything',
    },
    {
      file: hosts,
      find: "if (names.has(host)) return true;\n    return isIP(host) !== 0 && (anyAddress || host === '::1' || host.startsWith('127.'));",
      replace: 'return true;',
      harm: 'a web page in the office steers the daemon by a name of its own',
    },
    {
      file: hosts,
      find: '(anyAddress || host',
      replace: '(anyAddress === false || host',
      harm: 'the pages cannot be opened by the address of the machine',
    },
    {
      file: gate,
      find: 'if (!isOurHost(request.headers.host)) return refuse(request, reply, otherHost);',
      replace: '',
      harm: 'the host of a request is not checked',
    },
    {
      file: gate,
      find: 'if (refusal !== undefined && visitor !== undefined) {',
      replace: "if (path === '' && visitor !== undefined) {",
      harm: 'what someone tried without the right to leaves no trace',
    },
    {
      file: gate,
      find: 'if (isWrong) return wrongToken(request);',
      replace: '',
      harm: 'wrong tokens on open pages are not counted',
    },
    {
      file: proxies,
      find: "typeof trust === 'number' ? hop < trust :",
      replace: "typeof trust === 'number' ? hop <= trust :",
      harm: 'a visitor names an address of their own choice',
    },
    {
      file: proxies,
      find: 'address !== undefined && listed?.(address) === true;',
      replace: 'address !== undefined;',
      harm: 'anyone counts as a trusted proxy',
    },
    {
      file: proxies,
      find: 'for (const name of names) delete headers[name];',
      replace: '',
      harm: 'forwarded headers of strangers are believed',
    },
    {
      file: proxies,
      find: '(address) => isIP(address) === 0',
      replace: '(address) => isIP(address) > 6',
      harm: 'any text counts as an address of its own',
    },
    {
      file: access,
      find: 'if (name !== personName(name)) return undefined;',
      replace: '',
      harm: 'a name that only looks like another gets its rights',
    },
    {
      file: allowance,
      find: '.slice(0, 4).join',
      replace: '.join',
      harm: 'one household with IPv6 has addresses without end',
    },
    {
      file: allowance,
      find: 'if (window === undefined || window.count < limit) return undefined;',
      replace: 'if (window === undefined || window.count <= limit) return undefined;',
      harm: 'one more than allowed passes',
    },
    {
      file: allowance,
      find: 'if (oldest !== undefined) windows.delete(oldest);',
      replace: '',
      harm: 'a flood from many addresses fills the memory',
    },
    {
      file: limits,
      find: 'unproven: allowance(unprovenPerMinute, MINUTE),\n      proven: allowance(provenPerMinute, MINUTE),',
      replace:
        'unproven: allowance(provenPerMinute, MINUTE),\n      proven: allowance(unprovenPerMinute, MINUTE),',
      harm: 'a source with a secret is throttled like a stranger',
    },
    {
      file: formHour,
      find: 'together(hourly(BRIEF.all))',
      replace: 'hourly(BRIEF.all)',
      harm: 'a flood of leads from many addresses passes',
    },
    {
      file: formHour,
      find: 'ofNetwork(hourly(BRIEF.network))',
      replace: 'hourly(BRIEF.network)',
      harm: 'the many addresses of one network fill a form for everybody',
    },
    {
      file: formHour,
      find: "full.waitMs('') === undefined ? undefined : brief.waitMs(address)",
      replace: "full.waitMs('')",
      harm: 'whoever uses up the hour of a form closes it for everybody',
    },
    {
      file: allowance,
      find: 'for (const one of allowances) one.count(address);',
      replace: 'allowances[0]?.count(address);',
      harm: 'the daily limit of a visitor never fills',
    },
    {
      file: access,
      find: "if (name === '' || more.length > 0) return undefined;",
      replace: "if (name === '') return undefined;",
      harm: 'a visitor adds a sign-in header beside that of the proxy',
    },
    {
      file: access,
      find: "isIPv6(remoteAddress) ? 'ipv6' : 'ipv4') ? name : undefined;",
      replace: "isIPv6(remoteAddress) ? 'ipv6' : 'ipv4') !== null ? name : undefined;",
      harm: 'everyone may sign in by a header',
    },
    {
      file: access,
      find: '&& sameSecret(given, formToken(visitor)),',
      replace: '&& given !== undefined,',
      harm: 'another web page sends forms in a person’s name',
    },
    {
      file: access,
      find: 'const by = person.name === ADMIN ? adminName(name) : person.name;',
      replace: 'const by = name || person.name;',
      harm: 'a person signs in under the name of another',
    },
    {
      file: 'src/domain/audit.ts',
      find: 'toMs(ends_at) <= now || toMs(seen_at) + IDLE_MS <= now;',
      replace: 'toMs(ends_at) <= now;',
      harm: 'a screen left alone stays signed in for a day',
    },
    {
      file: sessions,
      find: 'if (key === undefined || !sameSecret(proofOf(cookie, key), session.proof)) return undefined;',
      replace: 'if (key === undefined) return undefined;',
      harm: 'a changed token does not end its sessions',
    },
    {
      file: sessions,
      find: 'for (const id of ids) known.delete(id);',
      replace: '',
      harm: 'a session that was ended goes on for seconds',
    },
    {
      file: sessions,
      find: 'if (active) noteActivity(session);',
      replace: 'noteActivity(session);',
      harm: 'a page that reloads alone keeps a person signed in',
    },
    {
      file: access,
      find: "headers['x-update'] === undefined &&",
      replace: "headers['x-update'] !== '' &&",
      harm: 'a page that loads what changed keeps a person signed in',
    },
    {
      file: access,
      find: "headers.accept !== 'text/event-stream';",
      replace: "headers.accept !== '';",
      harm: 'a page that waits to be told keeps a person signed in',
    },
    {
      file: live,
      find: '|| !(await gate.isStillSignedIn(request));',
      replace: ';',
      harm: 'who signed out goes on hearing when something changes',
    },
    {
      file: live,
      find: '|| clock.monotonic() - since > LONGEST_MS ||',
      replace: '||',
      harm: 'readers that are gone keep their places',
    },
    {
      file: live,
      find: '[...streams.values()].filter((one) => one.owner === owner).length >= MOST_OF_ONE;',
      replace: 'streams.size > MOST_STREAMS;',
      harm: 'one person takes the places of all open pages',
    },
    {
      file: live,
      find: "(by === adminName('') ? session : undefined) ?? by ?? '';",
      replace: "by ?? '';",
      harm: 'one browser takes the places of all who share the admin token',
    },
    {
      file: cookies,
      find: 'HttpOnly; SameSite=',
      replace: 'SameSite=',
      harm: 'scripts can read the session',
    },
    {
      file: strangers,
      find: ".filter(({ poll }) => poll !== 'appointments')\n",
      replace: '',
      harm: 'strangers see how many appointments are followed',
    },
  ],
};
