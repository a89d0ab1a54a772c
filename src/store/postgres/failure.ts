import { Failure, type FailureKind } from '../../platform/failure.ts';

type Explanation = [code: string, kind: FailureKind, message: string, hint: string];

const ADDRESS = 'Check the address under store.postgres, and that the server runs and can be reached.';

/** PostgreSQL's errors, by SQLSTATE or its first characters, with their remedies. Its own messages may quote values. */
const explanations: Explanation[] = [
  ['28', 'refused', 'The database refused the sign-in', 'Check user and password under store.postgres.'],
  [
    '3D000',
    'refused',
    'The database does not exist',
    'Create it, or check the address under store.postgres.',
  ],
  [
    '42501',
    'refused',
    'This user may not do what is necessary in the database',
    'Make the user the owner of the database, or grant it CREATE and USAGE on its schema.',
  ],
  ['53100', 'transient', 'The disk of the database is full', 'Free space on its volume; work then goes on.'],
  [
    '53300',
    'transient',
    'The database has no connection left',
    'Raise max_connections, or put a pooler in front of it. A process takes up to 5.',
  ],
  ['53', 'transient', 'The database lacks memory or another resource', 'Look at the log of the database.'],
  [
    '25006',
    'transient',
    'The database cannot be written: it is read-only or a replica',
    'Check that the address under store.postgres is that of the primary server.',
  ],
  ['57', 'transient', 'The database is being stopped or started', 'Work goes on when it runs.'],
  ['08', 'transient', 'The connection to the database was lost', ADDRESS],
  ['40', 'transient', 'Another process changed the same rows', 'Try again.'],
  ['55P03', 'transient', 'Another process is writing to the database', 'Wait, or end what holds it open.'],
  ['25P03', 'transient', 'The database ended a transaction that stood still', 'Try again.'],
  ['23', 'refused', 'The database refused a row that breaks its rules', 'Please report this.'],
  [
    'XX',
    'refused',
    'The database is damaged or has a fault',
    'Look at the log of the database; restore a backup if its files are damaged.',
  ],
  ['58', 'transient', 'The disk of the database failed', 'Look at the log of the database.'],
];

const systemErrors: Explanation[] = [
  ['ENOTFOUND', 'transient', 'The server of the database has no address', ADDRESS],
  ['EAI_AGAIN', 'transient', 'The server of the database has no address', ADDRESS],
  ['ECONNREFUSED', 'transient', 'No database answers', ADDRESS],
  ['ENOENT', 'transient', 'No database answers', ADDRESS],
];

/** SQLSTATE of an error that the server reported. */
export function sqlState(error: unknown): string | undefined {
  if (error instanceof Failure) return sqlState(error.cause);
  const { code, severity } = fieldsOf(error);
  return typeof severity === 'string' && typeof code === 'string' ? code : undefined;
}

const fieldsOf = (error: unknown): { code?: unknown; severity?: unknown } =>
  typeof error === 'object' && error !== null ? error : {};

/** Marks failures of a connection: the error has no code of the server then. */
class ConnectionLost extends Error {}

/** The server is gone, or ended the connection: whether it did what was asked before is unknown. */
export function isConnectionLost(error: unknown): boolean {
  if (error instanceof Failure) return error.cause instanceof ConnectionLost || isConnectionLost(error.cause);
  const code = sqlState(error);
  if (code !== undefined) return /^(08|57P|25P03)/.test(code);
  return error instanceof ConnectionLost;
}

/** Nothing was written, and a retry may succeed. */
export const isBusy = (error: unknown): boolean =>
  isConnectionLost(error) || /^(40001|40P01|55P03)/.test(sqlState(error) ?? '');

/** The database failed, as opposed to a constraint that refused. */
export const isStorage = (error: unknown): boolean => {
  const code = sqlState(error);
  return code === undefined ? isConnectionLost(error) : !code.startsWith('23');
};

/** `place`: what messages call the database. */
export function postgresFailure(error: unknown, place: string): Failure {
  if (error instanceof Failure) return error;
  const code = sqlState(error);
  const said = String(fieldsOf(error).code ?? '');
  const found =
    code === undefined
      ? systemErrors.find(([known]) => known === said)
      : explanations.find(([known]) => code.startsWith(known));
  const otherwise: Explanation =
    code === undefined
      ? ['', 'transient', 'The connection to the database was lost or refused', ADDRESS]
      : ['', 'transient', 'The database failed', 'Look at the log of the database.'];
  const [, kind, message, hint] = found ?? otherwise;
  const named = code ?? said;
  return new Failure({
    kind,
    message: `${message} (${place}${named === '' ? '' : `, ${named}`}).`,
    hint,
    cause: code === undefined ? new ConnectionLost(undefined, { cause: error }) : error,
  });
}
