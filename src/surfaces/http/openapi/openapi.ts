import { ErrorEnvelope } from '../../../contract/common.ts';
import { pascal } from '../../../contract/described-as.ts';
import { GROUPS } from '../../../contract/groups.ts';
import { isClosedToAgents, type AnyOperation } from '../../../contract/operation.ts';
import { operations } from '../../../contract/registry.ts';
import { requestBody } from './bodies.ts';
import { parametersOf, shareParameters } from './parameters.ts';
import { ErrorAnswers, headerComponents, notModified, successes } from './responses.ts';
import { Schemas, type Json } from './schemas.ts';

/** A key, or the session of somebody who is signed in. */
const EITHER = [{ ApiKey: [] }, { Session: [] }];

/** The version of the API, in `info.version`. */
const CONTRACT_VERSION = '1.0.0';

const DESCRIPTION = `The API of Homeledger: your household's accounts and transactions, and everything that people, rules and agents add to
them.

* Send your API key in the header \`X-API-Key\`. \`homeledger keys create\` creates the first one. A browser in which
  somebody is signed in sends the session cookie instead, and may do what the role allows.
* Amounts are decimal strings such as \`"12.34"\`: **positive is money out**, negative is money in. Requests can send
  numbers too.
* Wherever a request takes an id, send the \`id\` or the \`short_id\`.
* To send a list in a query, repeat the parameter or separate the values with commas.
* Every write is a change set; the response header \`X-Change-Set-Id\` contains its id. To revert it, send
  \`POST /api/v1/change-sets/{id}/revert\`.
* To repeat a write safely, send the same \`Idempotency-Key\` again: the write is done once.
* To overwrite nothing that you have not seen, send the \`ETag\` of a record in \`If-Match\` when you change or delete it. If
  somebody else has changed it since, the answer is 412 and nothing is written.
* Every error is \`{"error": {"code", "message", "details"}}\`.`;

let text: string | undefined;

/** The OpenAPI 3.1 document as text, with keys in a fixed order. Built at the first call. */
export function openApiText(): string {
  return (text ??= `${JSON.stringify(openApiDocument(), null, 2)}\n`);
}

/** The OpenAPI 3.1 document of every operation in the registry. */
export function openApiDocument(): Json {
  const schemas = new Schemas();
  const errors = new ErrorAnswers(schemas);
  const paths: Record<string, Record<string, Json>> = {};
  schemas.of(ErrorEnvelope, 'output');
  for (const operation of operations) {
    for (const path of [operation.path, ...(operation.aliases ?? [])]) {
      (paths[path] ??= {})[operation.method.toLowerCase()] = describeOperation(operation, path, schemas, errors);
    }
  }
  const parameters = shareParameters(Object.values(paths).flatMap((item) => Object.values(item)));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Homeledger',
      version: CONTRACT_VERSION,
      description: DESCRIPTION,
      contact: { name: 'The operator of this installation' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'This installation' }],
    security: EITHER,
    tags: tags(),
    paths: Object.fromEntries(Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1))),
    components: {
      securitySchemes: {
        ApiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'X-API-Key',
          description: 'Create one with `homeledger keys create` or `POST /api/v1/api-keys`',
        },
        Session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'homeledger_session',
          description:
            'Signing in to the dashboard sets it. A write must come from a page of this service. If an API key is sent, ' +
            'the cookie is ignored.',
        },
      },
      parameters,
      headers: headerComponents(),
      responses: { ...errors.responses(), NotModified: notModified() },
      examples: errors.examples(),
      schemas: schemas.sorted(),
    },
  };
}

function tags(): Json[] {
  const used = new Set<string>(operations.map(({ group }) => group));
  return Object.entries(GROUPS).flatMap(([name, description]) => (used.has(name) ? [{ name, description }] : []));
}

function needsOf(operation: AnyOperation): string {
  const { scope, adminOnly } = operation;
  if (scope === 'none') return 'Needs no API key.';
  const whose = isClosedToAgents(operation) ? ' that is not an agent’s' : '';
  const needs = `Needs an API key with the scope \`${scope}\`${whose}`;
  return adminOnly === true ? `${needs}, or the session of an admin.` : `${needs}.`;
}

/** What the ETag leaves out, so that nobody takes a 304 for more than it says. */
function tagOf({ beside = [] }: AnyOperation): string[] {
  const names = beside.map((name) => `\`${name}\``);
  return names.length === 0
    ? []
    : [`The \`ETag\` is that of the record without ${names.join(', ')}, which change with other things.`];
}

function describeOperation(operation: AnyOperation, path: string, schemas: Schemas, errors: ErrorAnswers): Json {
  const { name, group, summary, description, scope, openBucket } = operation;
  const parameters = parametersOf(operation, schemas);
  const body = requestBody(operation, schemas);
  return {
    operationId: path === operation.path ? name : `${name}At${pascal(path.replace('/v1/', '/'))}`,
    tags: [group],
    summary,
    description: [...(description === undefined ? [] : [description]), ...tagOf(operation), needsOf(operation)].join(
      '\n\n',
    ),
    ...(scope === 'none' ? { security: (openBucket ?? 'open') === 'open' ? [{}, ...EITHER] : [] } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: body } : {}),
    responses: { ...successes(operation, schemas), ...errors.of(operation) },
  };
}
