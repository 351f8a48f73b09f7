import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { describe, expect, test } from 'vitest';

import { PEM } from '../../test/harness/servers/certificates.ts';
import { temporaryDirectory, type TemporaryDirectory } from '../../test/harness/databases/databases.ts';
import { ConfigError, readConfig, type Environment } from './config.ts';
import { VARIABLES } from './environment.ts';

const HEX = 'ab'.repeat(32);

test('without any variable everything has its default', () => {
  expect(readConfig({})).toMatchObject({
    host: '127.0.0.1',
    port: 8080,
    dataDir: resolve('./data'),
    databaseUrl: null,
    encryptionKey: null,
    keyPrefix: 'hl',
    baseUrl: null,
    dashboard: true,
    admin: null,
    trustedProxies: null,
    corsOrigins: [],
    rateRefillPerMinute: 120,
    rateBurst: 60,
    logLevel: 'info',
    providers: {
      plaid: { credentials: null, environment: null, baseUrl: null, linkScriptUrl: null },
      teller: { credentials: null, environment: null, webhookSecret: null, baseUrl: null, connectScriptUrl: null },
    },
  });
});

test('an empty value counts as unset', () => {
  const empty = {
    PORT: '',
    HOST: '',
    DATABASE_URL: '',
    ENCRYPTION_KEY: '',
    TRUST_PROXY: '',
    HOMELEDGER_BASE_URL: '',
    LOG_LEVEL: '',
  };
  expect(readConfig(empty)).toEqual(readConfig({}));
});

test('values are read as the contract says', () => {
  using folder = temporaryDirectory();
  const [key, password] = [join(folder.path, 'key'), join(folder.path, 'password')];
  writeFileSync(key, `  ${HEX.toUpperCase()}\n`);
  writeFileSync(password, 'correct horse battery \n');
  const [certificate, privateKey] = [write(folder, 'certificate'), write(folder, 'privateKey')];
  const config = readConfig({
    PORT: '0',
    DATABASE_URL: 'postgresql://u:p@db/x',
    ENCRYPTION_KEY_FILE: key,
    HOMELEDGER_BASE_URL: 'https://Home.example:8443/',
    HOMELEDGER_ADMIN_EMAIL: ' Ada@Home.example',
    HOMELEDGER_ADMIN_PASSWORD_FILE: password,
    CORS_ORIGINS: 'https://app.example, http://localhost:3000',
    TELLER_APPLICATION_ID: 'app',
    UNKNOWN_TO_US: 'ignored',
    HOMELEDGER_URL: 'https://elsewhere.example',
    PLAID_CLIENT_ID: 'id',
    PLAID_SECRET: 'secret',
    PLAID_ENV: 'production',
    PLAID_BASE_URL: 'http://127.0.0.1:9000',
    PLAID_LINK_SCRIPT_URL: 'http://127.0.0.1:9000/link.js',
    TELLER_CERT_FILE: certificate,
    TELLER_KEY_FILE: privateKey,
    TELLER_WEBHOOK_SECRET: 'one,two',
    WORKFLOW_MODEL_PROVIDER: 'openai_compatible',
    WORKFLOW_MODEL: ' local-model ',
    OPENAI_BASE_URL: 'http://127.0.0.1:11434/v1/',
    OPENAI_API_KEY: 'sk-of-the-environment\n',
    ANTHROPIC_API_KEY: '',
  });
  expect(config).toMatchObject({
    models: {
      provider: 'openai_compatible',
      model: 'local-model',
      openAiBaseUrl: 'http://127.0.0.1:11434/v1',
      openAiKey: 'sk-of-the-environment',
      anthropicKey: null,
    },
    port: 0,
    databaseUrl: 'postgresql://u:p@db/x',
    encryptionKey: { source: 'file', name: 'ENCRYPTION_KEY_FILE', hex: HEX },
    baseUrl: 'https://home.example:8443',
    admin: { email: 'ada@home.example', password: 'correct horse battery ' },
    corsOrigins: ['https://app.example', 'http://localhost:3000'],
    providers: {
      plaid: {
        credentials: { clientId: 'id', secret: 'secret' },
        environment: 'production',
        baseUrl: 'http://127.0.0.1:9000/',
        linkScriptUrl: 'http://127.0.0.1:9000/link.js',
      },
      teller: {
        credentials: { applicationId: 'app', keyPair: { certificate: PEM.certificate, privateKey: PEM.privateKey } },
        environment: null,
        webhookSecret: 'one,two',
      },
    },
  });
});

test('every variable that the reference lists is read, and no other', () => {
  const asked = new Set<string>();
  const env = new Proxy<Record<string, string>>({}, { get: (_env, name) => void asked.add(String(name)) });
  readConfig(env);
  expect([...asked].sort()).toEqual(VARIABLES.map(({ name }) => name).sort());
});

describe('a certificate', () => {
  test('that cannot be used stops the start', () => {
    using folder = temporaryDirectory();
    const files = Object.fromEntries(Object.keys(PEM).map((name) => [name, write(folder, name as keyof typeof PEM)]));
    for (const [certificate, key, named] of [
      ['expired', 'privateKey', 'TELLER_CERT_FILE'],
      ['privateKey', 'privateKey', 'TELLER_CERT_FILE'],
      ['certificate', 'otherKey', 'TELLER_KEY_FILE'],
      ['certificate', 'protectedKey', 'TELLER_KEY_FILE'],
      ['certificate', 'oldProtectedKey', 'TELLER_KEY_FILE'],
      ['certificate', 'certificate', 'TELLER_KEY_FILE'],
    ] as const) {
      const env = { TELLER_APPLICATION_ID: 'app', TELLER_CERT_FILE: files[certificate], TELLER_KEY_FILE: files[key] };
      const { problems } = refusal(env);
      expect([certificate, key, problems.length, problems[0]?.split(' ')[0]]).toEqual([certificate, key, 1, named]);
    }
    const env = { TELLER_APPLICATION_ID: 'app', TELLER_CERT_FILE: '/nowhere', TELLER_KEY_FILE: files['privateKey'] };
    expect(refusal(env).problems).toEqual(['TELLER_CERT_FILE: the file cannot be read.']);
  });

  test('is judged at the time of the start', () => {
    using folder = temporaryDirectory();
    const env = {
      TELLER_APPLICATION_ID: 'app',
      TELLER_CERT_FILE: write(folder, 'expired'),
      TELLER_KEY_FILE: write(folder, 'privateKey'),
    };
    expect(readConfig(env, Date.parse('2020-06-01')).providers.teller.credentials?.keyPair).not.toBeNull();
  });
});

describe('wrong values', () => {
  test('are named with what would be right', () => {
    const cases: readonly [Environment, ...string[]][] = [
      [{ HOMELEDGER_DASHBORD: 'off' }, 'HOMELEDGER_DASHBORD', 'HOMELEDGER_DASHBOARD'],
      [{ HOMELEDGER_DATADIR: '/x' }, 'HOMELEDGER_DATADIR', 'HOMELEDGER_DATA_DIR'],
      [{ PORT: 'abc' }, 'PORT', '65535'],
      [{ PORT: '65536' }, 'PORT'],
      [{ PORT: '-1' }, 'PORT'],
      [{ PORT: '80.5' }, 'PORT'],
      [{ HOST: 'a b' }, 'HOST'],
      [{ TRUST_PROXY: 'all' }, 'TRUST_PROXY'],
      [{ TRUST_PROXY: '0.0.0.0/0' }, 'TRUST_PROXY'],
      [{ HOMELEDGER_BASE_URL: 'home.example' }, 'HOMELEDGER_BASE_URL', 'https://'],
      [{ HOMELEDGER_BASE_URL: 'http://home.example' }, 'HOMELEDGER_BASE_URL', 'https'],
      [{ HOMELEDGER_BASE_URL: 'http://127.home.example' }, 'HOMELEDGER_BASE_URL', 'https'],
      [{ HOMELEDGER_BASE_URL: 'https://home.example/app' }, 'HOMELEDGER_BASE_URL'],
      [{ HOMELEDGER_BASE_URL: 'https://u@home.example' }, 'HOMELEDGER_BASE_URL'],
      [{ HOMELEDGER_BASE_URL: 'https://home.example?x=1' }, 'HOMELEDGER_BASE_URL'],
      [{ HOMELEDGER_BASE_URL: 'https://home.example//' }, 'HOMELEDGER_BASE_URL'],
      [{ HOMELEDGER_BASE_URL: 'https://home.example/?' }, 'HOMELEDGER_BASE_URL'],
      [{ HOMELEDGER_BASE_URL: 'ftp://home.example' }, 'HOMELEDGER_BASE_URL', 'https://'],
      [{ HOMELEDGER_DASHBOARD: 'yes' }, 'HOMELEDGER_DASHBOARD', 'on, off'],
      [{ API_KEY_PREFIX: 'HL' }, 'API_KEY_PREFIX'],
      [{ API_KEY_PREFIX: 'h' }, 'API_KEY_PREFIX'],
      [{ DATABASE_URL: 'mysql://u:p@db/x' }, 'DATABASE_URL', 'postgres://'],
      [{ ENCRYPTION_KEY: 'ab' }, 'ENCRYPTION_KEY', '64'],
      [{ ENCRYPTION_KEY: HEX, ENCRYPTION_KEY_FILE: '/x' }, 'ENCRYPTION_KEY', 'ENCRYPTION_KEY_FILE'],
      [{ ENCRYPTION_KEY_FILE: '/nowhere/key' }, 'ENCRYPTION_KEY_FILE'],
      [{ PLAID_CLIENT_ID: 'x' }, 'PLAID_CLIENT_ID', 'PLAID_SECRET'],
      [{ PLAID_ENV: 'prod' }, 'PLAID_ENV', 'production'],
      [{ PLAID_BASE_URL: 'http://plaid.example' }, 'PLAID_BASE_URL'],
      [{ PLAID_BASE_URL: 'http://simulator:9000' }, 'PLAID_BASE_URL', 'private address'],
      [{ PLAID_LINK_SCRIPT_URL: 'http://plaid.example/link.js' }, 'PLAID_LINK_SCRIPT_URL', 'private address'],
      [{ TELLER_CONNECT_SCRIPT_URL: 'http://teller.example/connect.js' }, 'TELLER_CONNECT_SCRIPT_URL'],
      [{ TELLER_CONNECT_SCRIPT_URL: 'javascript:alert(1)' }, 'TELLER_CONNECT_SCRIPT_URL', 'https://'],
      [{ PLAID_CLIENT_ID: 'two words', PLAID_SECRET: 'x' }, 'PLAID_CLIENT_ID', 'printable ASCII'],
      [{ TELLER_WEBHOOK_SECRET: 'a,b,c' }, 'TELLER_WEBHOOK_SECRET', 'two separated by a comma'],
      [{ TELLER_WEBHOOK_SECRET: 'a,' }, 'TELLER_WEBHOOK_SECRET'],
      [{ TELLER_ENV: 'production', TELLER_APPLICATION_ID: 'x' }, 'TELLER_CERT_FILE', 'TELLER_KEY_FILE'],
      [{ TELLER_CERT_FILE: 'c', TELLER_KEY_FILE: 'k' }, 'TELLER_APPLICATION_ID'],
      [{ TELLER_APPLICATION_ID: 'x', TELLER_CERT_FILE: 'c' }, 'TELLER_KEY_FILE'],
      [{ WORKFLOW_MODEL_PROVIDER: 'claude' }, 'WORKFLOW_MODEL_PROVIDER', 'openai_compatible'],
      [{ WORKFLOW_MODEL: 'x'.repeat(201) }, 'WORKFLOW_MODEL', '200'],
      [{ OPENAI_BASE_URL: 'models.example' }, 'OPENAI_BASE_URL', 'https://'],
      [{ OPENAI_BASE_URL: 'https://u:p@models.example/v1' }, 'OPENAI_BASE_URL', 'password'],
      [{ OPENAI_BASE_URL: 'http://169.254.169.254/v1' }, 'OPENAI_BASE_URL', 'metadata'],
      [{ OPENAI_API_KEY: 'two words' }, 'OPENAI_API_KEY', 'printable ASCII'],
      [{ ANTHROPIC_API_KEY: 'é' }, 'ANTHROPIC_API_KEY', 'printable ASCII'],
      [{ CORS_ORIGINS: '*' }, 'CORS_ORIGINS'],
      [{ CORS_ORIGINS: 'https://app.example/' }, 'CORS_ORIGINS'],
      [{ API_RATE_LIMIT_RPM: '0' }, 'API_RATE_LIMIT_RPM', '1000000'],
      [{ API_RATE_LIMIT_BURST: '1000001' }, 'API_RATE_LIMIT_BURST'],
      [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL', 'error, warn, info, debug'],
      [{ LOG_FORMAT: 'xml' }, 'LOG_FORMAT', 'json, pretty'],
      [{ HOMELEDGER_ADMIN_EMAIL: 'ada@home.example' }, 'HOMELEDGER_ADMIN_PASSWORD'],
      [{ HOMELEDGER_ADMIN_PASSWORD: 'correct horse battery' }, 'HOMELEDGER_ADMIN_PASSWORD', 'HOMELEDGER_ADMIN_EMAIL'],
      [{ HOMELEDGER_ADMIN_EMAIL: 'ada', HOMELEDGER_ADMIN_PASSWORD: 'correct horse battery' }, 'HOMELEDGER_ADMIN_EMAIL'],
      [
        { HOMELEDGER_ADMIN_EMAIL: 'a@b.example', HOMELEDGER_ADMIN_PASSWORD: 'short' },
        'HOMELEDGER_ADMIN_PASSWORD',
        '10',
      ],
      [
        { HOMELEDGER_ADMIN_EMAIL: 'a@b.example', HOMELEDGER_ADMIN_PASSWORD: 'x', HOMELEDGER_ADMIN_PASSWORD_FILE: 'y' },
        'HOMELEDGER_ADMIN_PASSWORD',
        'HOMELEDGER_ADMIN_PASSWORD_FILE',
      ],
    ];
    for (const [env, ...named] of cases) {
      const { message, problems } = refusal(env);
      expect([env, problems.length]).toEqual([env, 1]);
      for (const part of named) expect(message).toContain(part);
    }
  });

  test('are reported together', () => {
    const { problems } = refusal({
      PORT: 'abc',
      LOG_LEVEL: 'loud',
      TRUST_PROXY: '*',
      HOMELEDGER_X: '1',
      PLAID_SECRET: 's',
    });
    for (const name of ['PORT', 'LOG_LEVEL', 'TRUST_PROXY', 'HOMELEDGER_X', 'PLAID_SECRET']) {
      expect(problems.filter((problem) => problem.includes(name))).toHaveLength(1);
    }
  });

  test('are never told when they are secret', () => {
    const { message } = refusal({
      ENCRYPTION_KEY: 'mySecretKey',
      HOMELEDGER_ADMIN_EMAIL: 'ada@home.example',
      HOMELEDGER_ADMIN_PASSWORD: 'hunter2',
      DATABASE_URL: 'mysql://user:dbSecret@host/x',
      PLAID_SECRET: 'plaidSecret ',
      TELLER_WEBHOOK_SECRET: 'webhook Secret',
      HOMELEDGER_BASE_URL: 'https://u:urlSecret@home.example',
      HOMELEDGER_ADMIN_PASSWORT: 'typoSecret',
    });
    expect(message).not.toMatch(/mySecretKey|hunter2|dbSecret|plaidSecret|webhook Secret|urlSecret|typoSecret/);
  });
});

/** A file with one of the texts, removed with its folder. */
function write(folder: TemporaryDirectory, name: keyof typeof PEM): string {
  const path = join(folder.path, name);
  writeFileSync(path, PEM[name]);
  return path;
}

function refusal(env: Environment): ConfigError {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
  throw new Error(`Accepted: ${JSON.stringify(env)}`);
}
