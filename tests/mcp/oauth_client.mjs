// The official client of the Model Context Protocol with its OAuth, for tests of the web site (docs/spec/oauth.md).

import { randomBytes } from 'node:crypto';

import { auth, UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

/** Keeps in memory what the client's OAuth stores. `authorizationUrl` is the page that a browser must open. */
class MemoryProvider {
  constructor(redirectUrl, name) {
    this.redirectUrl = redirectUrl;
    this.clientMetadata = { client_name: name, redirect_uris: [redirectUrl], grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'] };
  }

  state() { return (this.sentState = randomBytes(16).toString('hex')); }
  clientInformation() { return this.information; }
  saveClientInformation(information) { this.information = information; }
  tokens() { return this.saved; }
  saveTokens(tokens) { this.saved = tokens; }
  codeVerifier() { return this.verifier; }
  saveCodeVerifier(verifier) { this.verifier = verifier; }
  redirectToAuthorization(url) { this.authorizationUrl = url; }
  invalidateCredentials(scope) {
    if (scope === 'all') delete this.information;
    delete this.saved;
  }
}

/** An application that uses `url`, an address of an MCP server. */
export class OauthClient {
  constructor(url, { redirectUrl = 'https://app.example/callback', name = 'An assistant' } = {}) {
    this.url = new URL(url);
    this.provider = new MemoryProvider(redirectUrl, name);
  }

  async #connected() {
    const client = new Client({ name: 'tonearm-tests', version: '1.0.0' });
    this.transport = new StreamableHTTPClientTransport(this.url, { authProvider: this.provider });
    await client.connect(this.transport);
    return client;
  }

  /** Requests a connection without a token. Returns the page that the person must open. */
  async start() {
    try {
      await this.#connected();
    } catch (error) {
      if (error instanceof UnauthorizedError) return this.provider.authorizationUrl;
      throw error;
    }
    throw new Error('the server asked for no token');
  }

  /** Exchanges the code of the address to which the browser returned. */
  async finish(returned) {
    if (returned.searchParams.get('state') !== this.provider.sentState) throw new Error('the state is not that of the request');
    await this.transport.finishAuth(returned.searchParams.get('code'));
  }

  /** Refreshes the tokens. */
  async refresh() { return auth(this.provider, { serverUrl: this.url }); }

  /** Calls a tool with the current token. */
  async call(name, given = {}) {
    const client = await this.#connected();
    const result = await client.callTool({ name, arguments: given });
    await client.close();
    return result;
  }
}
