// Requests that htmx sends carry the token of the page, as its forms do.
interface RequestContext {
  request: { headers: Record<string, string> };
}

export function sendFormToken(): void {
  document.addEventListener("htmx:config:request", (event) => {
    const token = document.querySelector<HTMLMetaElement>('meta[name="form-token"]')?.content;
    const { ctx } = (event as CustomEvent<{ ctx: RequestContext }>).detail;
    if (token) ctx.request.headers["X-Form-Token"] = token;
  });
}
