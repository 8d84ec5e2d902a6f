// A passkey is made or shown when its form is sent: the browser's answer goes with the form.

const fromText = (text: string): ArrayBuffer => {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0)).buffer;
};

const toText = (data: ArrayBuffer | null): string =>
  btoa(String.fromCharCode(...new Uint8Array(data ?? new ArrayBuffer(0))))
    .replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

type Known = { id: string; type: "public-key" };

const withBytes = (known: Known[] | undefined): PublicKeyCredentialDescriptor[] =>
  (known ?? []).map((key) => ({ ...key, id: fromText(key.id) }));

/** A key as the server reads it, with the bytes of the answer as texts. */
const told = (credential: PublicKeyCredential, answer: Record<string, ArrayBuffer | null>): unknown => ({
  id: credential.id,
  rawId: toText(credential.rawId),
  type: credential.type,
  response: Object.fromEntries(Object.entries(answer).map(([name, data]) => [name, toText(data)])),
});

async function made(options: any): Promise<unknown> {
  const credential = (await navigator.credentials.create({
    publicKey: {
      ...options,
      challenge: fromText(options.challenge),
      user: { ...options.user, id: fromText(options.user.id) },
      excludeCredentials: withBytes(options.excludeCredentials),
    },
  })) as PublicKeyCredential;
  const { clientDataJSON, attestationObject } = credential.response as AuthenticatorAttestationResponse;
  return told(credential, { clientDataJSON, attestationObject });
}

async function shown(options: any): Promise<unknown> {
  const credential = (await navigator.credentials.get({
    publicKey: {
      ...options,
      challenge: fromText(options.challenge),
      allowCredentials: withBytes(options.allowCredentials),
    },
  })) as PublicKeyCredential;
  const { clientDataJSON, authenticatorData, signature } = credential.response as AuthenticatorAssertionResponse;
  return told(credential, { clientDataJSON, authenticatorData, signature });
}

for (const form of document.querySelectorAll<HTMLFormElement>("form[data-passkey]")) {
  form.addEventListener("submit", async (event) => {
    const answer = form.elements.namedItem("answer") as HTMLInputElement;
    if (answer.value) return;
    event.preventDefault();
    const options = JSON.parse(form.dataset["options"] ?? "{}");
    try {
      const given = await (form.dataset["passkey"] === "create" ? made(options) : shown(options));
      answer.value = JSON.stringify(given);
      form.submit();
    } catch {
      form.querySelector<HTMLElement>("[data-passkey-failed]")!.hidden = false;
    }
  });
}
