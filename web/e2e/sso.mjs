// Single sign-on by the pages, in a real browser with its rules for cookies: a provider, and a learning platform on
// another site, both made here.
import { createSign, generateKeyPairSync, randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { axe } from './axe.mjs';
import { noFaults, openPage, shots } from './world.mjs';

const lti = 'https://purl.imsglobal.org/spec/lti/claim/';
const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const coded = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');

function tokenOf(claims) {
  const text = `${coded({ alg: 'RS256', kid: 'k' })}.${coded(claims)}`;
  return `${text}.${createSign('sha256').update(text).sign(privateKey).toString('base64url')}`;
}

/** Both in one: /authorize and /token for people, /auth for launches, /scores for grades. */
class Issuer {
  async start() {
    this.codes = new Map();
    this.scores = [];
    this.server = createServer((request, answer) => this.answer(request, answer));
    await new Promise((done) => this.server.listen(0, '127.0.0.1', done));
    this.url = `http://localhost:${this.server.address().port}`; // another site than 127.0.0.1
  }

  async answer(request, answer) {
    const url = new URL(request.url, this.url);
    let body = '';
    for await (const piece of request) body += piece;
    const json = (value) => answer.setHeader('Content-Type', 'application/json').end(JSON.stringify(value));
    const query = url.searchParams;
    if (url.pathname === '/jwks')
      return json({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'k', use: 'sig' }] });
    if (url.pathname === '/.well-known/openid-configuration')
      return json({
        issuer: this.url,
        authorization_endpoint: `${this.url}/authorize`,
        token_endpoint: `${this.url}/token`,
        jwks_uri: `${this.url}/jwks`,
      });
    if (url.pathname === '/authorize') {
      const code = randomUUID();
      this.codes.set(code, query.get('nonce'));
      const back = new URL(query.get('redirect_uri'));
      back.search = new URLSearchParams({ code, state: query.get('state') });
      return answer.writeHead(302, { Location: back.href }).end();
    }
    if (url.pathname === '/token') {
      const code = new URLSearchParams(body).get('code');
      if (!code) return json({ access_token: 'x', token_type: 'Bearer', expires_in: 3600 });
      return json({ id_token: tokenOf(this.claims(this.codes.get(code), { preferred_username: 'ada.l' })) });
    }
    if (url.pathname === '/start') return this.form(answer, `${this.paika}/api/lti/login`, this.login());
    if (url.pathname === '/auth') return this.form(answer, query.get('redirect_uri'), this.launch(query));
    if (url.pathname.endsWith('/scores')) {
      this.scores.push(JSON.parse(body));
      return json({});
    }
    return answer.writeHead(404).end();
  }

  claims(nonce, more) {
    const now = Math.floor(Date.now() / 1000);
    return { iss: this.url, aud: 'paika', iat: now, exp: now + 60, nonce, sub: this.person, ...more };
  }

  login() {
    return { iss: this.url, client_id: 'paika', login_hint: '1', target_link_uri: `${this.paika}/` };
  }

  launch(query) {
    const claims = this.claims(query.get('nonce'), {
      name: `Name of ${this.person}`,
      [`${lti}version`]: '1.3.0',
      [`${lti}message_type`]: 'LtiResourceLinkRequest',
      [`${lti}deployment_id`]: '1',
      [`${lti}target_link_uri`]: `${this.paika}/`,
      [`${lti}context`]: { id: 'c', title: 'Games 101' },
      [`${lti}roles`]: [`http://purl.imsglobal.org/vocab/lis/v2/membership#${this.role}`],
      'https://purl.imsglobal.org/spec/lti-ags/claim/endpoint': {
        scope: ['https://purl.imsglobal.org/spec/lti-ags/scope/score'],
        lineitem: `${this.url}/items/1`,
      },
    });
    return { id_token: tokenOf(claims), state: query.get('state') };
  }

  /** A page that posts a form by itself, as platforms do. */
  form(answer, action, fields) {
    const inputs = Object.entries(fields).map(
      ([name, value]) => `<input type="hidden" name="${name}" value="${value}">`,
    );
    answer
      .setHeader('Content-Type', 'text/html')
      .end(
        `<form method="post" action="${action}">${inputs.join('')}</form><script>document.forms[0].submit()</script>`,
      );
  }
}

async function withIssuer(server, test) {
  const issuer = new Issuer();
  await issuer.start();
  issuer.paika = server.url;
  const file = join(server.folder, 'sso.toml');
  writeFileSync(
    file,
    `base_url = "${server.url}"
[[provider]]
id = "school"
name = "School account"
issuer = "${issuer.url}"
client_id = "paika"
[[platform]]
id = "moodle"
name = "Moodle"
issuer = "${issuer.url}"
client_id = "paika"
deployments = ["1"]
auth_url = "${issuer.url}/auth"
token_url = "${issuer.url}/token"
jwks_url = "${issuer.url}/jwks"
`,
  );
  server.options = ['--sso', file];
  await server.kill();
  await server.start();
  try {
    await test(issuer);
  } finally {
    issuer.server.closeAllConnections();
    issuer.server.close();
  }
}

/** The page as it is, on a large screen and on a phone. */
async function shoot(page, name) {
  const size = page.viewportSize();
  for (const [kind, width, height] of [
    ['large', 1366, 768],
    ['phone', 360, 740],
  ]) {
    await page.setViewportSize({ width, height });
    await page.screenshot({ path: join(shots, `sso ${name} ${kind}.png`) });
    const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    if (wide) throw new Error(`${name} is wider than a screen of ${width}`);
  }
  await page.setViewportSize(size);
}

const signIn = 'button:has-text("Sign in with School account")';

const signsOn = ({ server, browser }) =>
  withIssuer(server, async (issuer) => {
    issuer.person = 'ada';
    const page = await openPage(browser);
    await page.goto(`${server.url}/login?next=/classes`);
    await page.waitForSelector(signIn);
    await axe(page, 'the login page with a provider');
    await shoot(page, 'login');
    await page.click(signIn);
    await page.waitForSelector('text=has signed you in for the first time');
    await axe(page, 'the first login');
    await shoot(page, 'first login');
    if ((await page.inputValue('input[autocomplete="username"]')) !== 'ada-l') throw new Error('no name is suggested');
    await page.fill('input[autocomplete="username"]', 'Ada');
    await page.click('button:has-text("Create an account")');
    await page.waitForSelector('header a:has-text("Ada")');
    await page.waitForSelector('h1:has-text("Classes")'); // where the login was meant to lead
    await page.goto(`${server.url}/players/Ada`);
    await page.waitForSelector('li:has-text("School account")');
    await axe(page, 'the page of an account');
    await shoot(page, 'account');
    await page.click('button:has-text("Unlink")');
    await page.waitForSelector('text=this is your only way to log in');
    await page.fill('input[autocomplete="new-password"]', 'correct horse battery');
    await page.click('button:has-text("Change")');
    await page.waitForSelector('text=The password has been changed.');
    await page.waitForSelector('input[autocomplete="current-password"]'); // from now on there is one to ask for
    await page.click('button:has-text("Unlink")');
    await page.waitForSelector('li:has-text("School account")', { state: 'detached' });
    await page.click('button:has-text("Link School account")');
    await page.waitForSelector('li:has-text("School account")');
    await page.goto(`${server.url}/welcome?error=denied`);
    await page.waitForSelector('text=You cancelled the sign-in.');
    await shoot(page, 'failure');
    noFaults(page);
  });

/** Opens the activity as the platform's page does. */
async function launch(issuer, browser, person, role) {
  Object.assign(issuer, { person, role });
  const page = await openPage(browser);
  await page.goto(`${issuer.url}/start`);
  await page.waitForSelector('text=has signed you in for the first time');
  await page.fill('input[autocomplete="username"]', person);
  await page.click('button:has-text("Create an account")');
  return page;
}

const launches = ({ server, browser }) =>
  withIssuer(server, async (issuer) => {
    const early = await launch(issuer, browser, 'Early', 'Learner');
    await early.waitForSelector('text=has not linked Games 101 to a class yet');
    const teacher = await launch(issuer, browser, 'Teacher', 'Instructor');
    await teacher.waitForSelector('text=Which class belongs to the course Games 101?');
    await teacher.waitForSelector('select option >> nth=0', { state: 'attached' });
    await axe(teacher, 'choosing a class');
    await shoot(teacher, 'choosing a class');
    await teacher.click('button:has-text("Create the class")');
    await teacher.waitForSelector('h1:has-text("Games 101")');
    await early.click('button:has-text("Try again")');
    await early.waitForSelector('h2:has-text("My bots")');
    const student = await launch(issuer, browser, 'Student', 'Learner');
    await student.waitForSelector('h2:has-text("My bots")');
    await teacher.reload();
    await teacher.waitForSelector('li:has-text("Moodle · 2 learners")');
    await teacher.click('button:has-text("Send grades")');
    await teacher.waitForFunction(() => document.querySelectorAll('#courses ~ .wide strong').length === 2);
    await teacher.waitForFunction(() =>
      [...document.querySelectorAll('#courses ~ .wide strong')].every((state) => state.textContent === 'sent'),
    );
    if (issuer.scores.length !== 2) throw new Error(`${issuer.scores.length} grades arrived`);
    await axe(teacher, 'courses and grades');
    await teacher.locator('#courses').scrollIntoViewIfNeeded();
    await shoot(teacher, 'grades');
    for (const page of [early, teacher, student]) noFaults(page);
  });

export const ssoTests = [
  ['sign-on first login, linking and unlinking', signsOn],
  ['sign-on launches, classes and grades', launches],
];
