// Asks Paili about mahjong hands with `fetch`, as Node 18, Deno and browsers have it; nothing else is needed.
//
//     node client.mjs http://127.0.0.1:8000 changsha "12355m 45678p 789s +9p"
//
// In a browser it works on pages of the same site: import { Paili } from "./client.mjs".

/** Paili has answered with an error. code: which one; at: the place in the text that was sent, or null. */
export class Refused extends Error {
  constructor(status, error) {
    super(error.message.en);
    this.name = "Refused";
    this.status = status;
    this.code = error.code;
    this.at = error.at;
    this.said = error.message; // in both languages
  }
}

/** A Paili site. timeout: seconds to wait for an answer; tries: how often to ask where it is too busy. */
export class Paili {
  constructor(site, { timeout = 10, tries = 3 } = {}) {
    this.base = new URL("/api/v1/", site);
    this.timeout = timeout;
    this.tries = tries;
  }

  /** The verdict on a hand. given: `by`, `seat`, `from` and so on; `option` is a list of "key=value". */
  check(ruleset, hand, given = {}) {
    return this.#get("check", { ruleset, hand, ...given });
  }

  /** What dealt tiles hold. */
  deal(ruleset, tiles, given = {}) {
    return this.#get("deal", { ruleset, tiles, ...given });
  }

  /** Who pays whom at the end of a hand. */
  settle(scenario) {
    const headers = { "Content-Type": "application/json" };
    return this.#ask(new URL("settle", this.base), { method: "POST", headers, body: JSON.stringify(scenario) });
  }

  #get(path, asked) {
    const url = new URL(path, this.base);
    for (const [key, value] of Object.entries(asked)) {
      for (const item of [value].flat()) url.searchParams.append(key, item);
    }
    return this.#ask(url);
  }

  async #ask(url, request = {}) {
    for (let left = this.tries - 1; ; left--) {
      const signal = AbortSignal.timeout(this.timeout * 1000);
      const answer = await fetch(url, { ...request, signal });
      if (answer.ok) return answer.json();
      if (answer.status === 429 && left > 0) {
        await answer.arrayBuffer();
        const seconds = Number(answer.headers.get("Retry-After") ?? 1);
        await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
        continue;
      }
      if (answer.headers.get("Content-Type")?.startsWith("application/json")) {
        throw new Refused(answer.status, (await answer.json()).error);
      }
      throw new Error(`${url} answers with status ${answer.status}`);
    }
  }
}

// Run by itself, not imported: prints the verdict on a hand. Ends with 2 for what Paili refuses, 1 where it can't be asked.
const words = globalThis.Deno?.args ?? globalThis.process?.argv?.slice(2) ?? [];
const alone = import.meta.main ?? globalThis.process?.argv?.[1]?.endsWith("client.mjs") ?? false;
if (alone) {
  const end = (status) => (globalThis.Deno ? Deno.exit(status) : process.exit(status));
  const [site, ruleset, hand] = words;
  try {
    console.log(JSON.stringify(await new Paili(site).check(ruleset, hand ?? ""), null, 2));
  } catch (error) {
    const refused = error instanceof Refused;
    const place = refused && error.at !== null ? ` (at ${error.at})` : "";
    console.error(refused ? `${error.code}${place}: ${error.message}` : `Paili can't be asked: ${error.message}`);
    end(refused ? 2 : 1);
  }
}
