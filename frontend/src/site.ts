// What every page may use: parts that load themselves (htmx) and the choice of light or dark.
// No page needs this to inform.
import "@fontsource-variable/source-sans-3/index.css";
import "@fontsource-variable/source-serif-4/index.css";
import "htmx.org";
import { sendFormToken } from "./site/form-token";
import { suggestPlayers } from "./site/suggest";
import { chooseTheme } from "./site/theme";
import { showUploads } from "./site/upload";

sendFormToken();
chooseTheme();
showUploads();
suggestPlayers();
