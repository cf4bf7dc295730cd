#include "page_frame.h"

#include <sodium.h>
#include <string.h>

/* Text and lines have the colours of the system's theme; the six others are those of Okabe and Ito,
 * lighter on a dark ground. */
static const char *const style[] = {
    ":root{color-scheme:light dark;--bg:#fff;--fg:#1b1d22;--soft:#62666f;--line:#e3e5e9;"
    "--pale:#f6f7f9;--accent:#0067a5;--tint:#e4f0f8;--gone:#fbe9e2;--goneink:#9c3a00;--c0:#a6abb4;"
    "--c1:#0072b2;--c2:#c98500;--c3:#009e73;--c4:#b65c94;--c5:#d55e00;--c6:#3a9fd6}\n",
    "@media(prefers-color-scheme:dark){:root{--bg:#14161a;--fg:#e4e6ea;--soft:#9da3ae;"
    "--line:#2d3138;--pale:#1c1f25;--accent:#6cb8ea;--tint:#16303f;--gone:#3b2219;--goneink:#"
    "f2a37b;"
    "--c0:#6d737e;--c1:#4aa3df;--c2:#e69f00;--c3:#20b88c;--c4:#d98cb9;--c5:#f0803c;--c6:#8fcdf2}}"
    "\n",
    "*{box-sizing:border-box}html{font:16px/1.55 system-ui,-apple-system,\"Segoe UI\",Roboto,"
    "\"Helvetica Neue\",Arial,sans-serif;-webkit-text-size-adjust:100%}"
    "body{margin:0;background:var(--bg);color:var(--fg)}"
    "main{max-width:56rem;margin:0 auto;padding:3.5rem 1.5rem 4rem}\n",
    "code,pre,.mono{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,\"DejaVu Sans Mono\","
    "monospace;font-size:.875em}"
    "h1{font-size:2rem;line-height:1.2;font-weight:650;letter-spacing:-.015em;margin:.2rem 0 .6rem;"
    "overflow-wrap:anywhere}h1 code{font-size:.92em}"
    "h2{font-size:1.2rem;line-height:1.3;font-weight:650;margin:3.2rem 0 .35rem}"
    "h3{font-size:1rem;font-weight:600;margin:2rem 0 .25rem}"
    "p{margin:.4rem 0 .9rem;max-width:42rem}p,dd,td{overflow-wrap:anywhere}\n",
    ".eyebrow{color:var(--accent);font-weight:600;font-size:.875rem;margin:0}"
    ".lead{font-size:1.1rem;margin:0 0 1.6rem}.soft{color:var(--soft)}.small{font-size:.875rem}"
    "section.program+section.program{border-top:1px solid var(--line);margin-top:4rem;"
    "padding-top:3rem}a{color:var(--accent)}\n",
    ".facts{display:grid;grid-template-columns:repeat(auto-fit,minmax(8.5rem,1fr));gap:1.2rem 2rem;"
    "margin:1.8rem 0;padding:0}.facts div{border-top:2px solid var(--line);padding-top:.5rem}"
    ".facts dt{color:var(--soft);font-size:.8125rem}.facts dd{margin:0;font-size:1.35rem;"
    "font-weight:600;line-height:1.3;font-variant-numeric:tabular-nums}"
    ".facts dd small{display:block;font-size:.8125rem;font-weight:400;color:var(--soft)}\n",
    "pre{background:var(--pale);border:1px solid var(--line);border-radius:6px;margin:.6rem 0 1rem;"
    "padding:.8rem 1rem;white-space:pre-wrap;overflow-wrap:anywhere;line-height:1.5}"
    ".copied{position:relative}.copied pre{user-select:all}.copied.on pre{padding-right:5.4rem}"
    "button{position:absolute;top:.5rem;right:.5rem;font:inherit;font-size:.8125rem;"
    "color:var(--accent);background:var(--bg);border:1px solid var(--line);border-radius:5px;"
    "padding:.2rem .7rem;cursor:pointer}button:hover{border-color:var(--accent)}\n",
    "figure{margin:1rem 0 1.2rem}.chart{display:block;width:100%;height:20rem;overflow:visible;"
    "padding:2.2rem 1rem 3.4rem 4rem;font-size:.8125rem}.chart text{fill:var(--soft)}"
    ".chart .ty{text-anchor:end}.chart .tx{text-anchor:middle}.chart .ny{text-anchor:start;"
    "transform:translateX(-3.4rem)}.chart .nx{text-anchor:end}"
    ".chart .grid{stroke:var(--line)}.chart .axis,.chart .tick{stroke:var(--c0)}"
    ".plot{overflow:visible}.line{fill:none;stroke-width:1.8;vector-effect:non-scaling-stroke;"
    "stroke-linejoin:round;opacity:.75}.bar{stroke-width:5;opacity:.45}.weak{stroke-width:2;"
    "opacity:.3}\n",
    ".c0{stroke:var(--c0);fill:var(--c0)}.c1{stroke:var(--c1);fill:var(--c1)}"
    ".c2{stroke:var(--c2);fill:var(--c2)}.c3{stroke:var(--c3);fill:var(--c3)}"
    ".c4{stroke:var(--c4);fill:var(--c4)}.c5{stroke:var(--c5);fill:var(--c5)}"
    ".c6{stroke:var(--c6);fill:var(--c6)}path.line{fill:none}circle{stroke:none!important}"
    ".key{display:inline-block;width:.7em;height:.7em;border-radius:50%;margin-right:.5em}"
    ".key.c0{background:var(--c0)}.key.c1{background:var(--c1)}.key.c2{background:var(--c2)}"
    ".key.c3{background:var(--c3)}.key.c4{background:var(--c4)}.key.c5{background:var(--c5)}"
    ".key.c6{background:var(--c6)}\n",
    ".scroll{overflow-x:auto;margin:.8rem 0 1.2rem}table{border-collapse:collapse;width:100%;"
    "font-size:.9375rem}th{text-align:left;font-weight:500;color:var(--soft);font-size:.8125rem;"
    "white-space:nowrap}th,td{padding:.45rem 1.2rem .45rem 0;border-bottom:1px solid var(--line);"
    "vertical-align:top}td.n,th.n{text-align:right;font-variant-numeric:tabular-nums;"
    "white-space:nowrap}tr:last-child td{border-bottom:0}\n",
    "summary{font-weight:600;cursor:pointer;margin:2rem 0 .25rem}.story code{font-weight:600}"
    ".story .op{font-weight:600}.d{display:inline-block;margin:0 1rem .1rem 0}.say{display:block}"
    ".d i{font-style:normal;color:var(--soft);margin-right:.35em}"
    ".story .m{color:var(--accent);margin-left:.45em}.story .soft{color:var(--soft)}.story "
    "td.n{color:var(--soft);width:2.5rem}\n",
    ".bytes{line-height:1.75;overflow-wrap:anywhere;margin:.5rem 0 1.2rem}.bytes del{"
    "text-decoration:none;background:var(--gone);color:var(--goneink)}.bytes ins{"
    "text-decoration:none;background:var(--tint);color:var(--accent);font-weight:600}\n",
    ".works{width:auto}.works "
    "td{white-space:nowrap;padding-right:1rem}td.wide{width:40%}td.name{white-space:nowrap}td.long{"
    "min-width:16rem}"
    ".gain{display:block;height:.55em;border-radius:2px;min-width:2px}"
    "dl.about{display:grid;grid-template-columns:max-content 1fr;gap:.25rem 1.5rem;"
    "font-size:.9375rem;margin:.6rem 0 1.6rem}dl.about dt{color:var(--soft)}dl.about dd{margin:0}"
    "footer{margin-top:4rem;padding-top:1rem;border-top:1px solid var(--line);color:var(--soft);"
    "font-size:.875rem}\n",
    "@media(max-width:40rem){.wide{display:none}main{padding:2rem 1.1rem "
    "3rem}h1{font-size:1.6rem}.chart{height:17rem}"
    "dl.about{grid-template-columns:1fr;gap:0}dl.about dd{margin-bottom:.5rem}}\n",
    "@media print{:root{--bg:#fff;--fg:#000;--soft:#555;--line:#ccc;--pale:#fff}"
    "main{max-width:none;padding:0}button{display:none}figure,tr,pre{break-inside:avoid}"
    "h2,h3{break-after:avoid}.scroll{overflow:visible}.works "
    "td{white-space:normal;overflow-wrap:anywhere}}\n",
};

static const char script[] =
    "for(const box of document.querySelectorAll('.copied')){"
    "const text=box.querySelector('code'),button=document.createElement('button');"
    "button.type='button';button.textContent='Copy';box.classList.add('on');box.append(button);"
    "button.addEventListener('click',async()=>{"
    "let ok=true;"
    "try{await navigator.clipboard.writeText(text.textContent)}catch{"
    "getSelection().selectAllChildren(text);ok=document.execCommand('copy')}"
    "button.textContent=ok?'Copied':'Press Ctrl+C';"
    "setTimeout(()=>{button.textContent='Copy'},2000)})}";

/* Write which script may run: ours alone, by its digest. Nothing may be loaded from elsewhere. */
static void put_policy(html *h) {
    unsigned char digest[crypto_hash_sha256_BYTES];
    char text[sodium_base64_ENCODED_LEN(crypto_hash_sha256_BYTES, sodium_base64_VARIANT_ORIGINAL)];
    crypto_hash_sha256(digest, (const unsigned char *)script, sizeof script - 1);
    sodium_bin2base64(text, sizeof text, digest, sizeof digest, sodium_base64_VARIANT_ORIGINAL);
    html_raw(h, "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                "img-src data:; style-src 'unsafe-inline'; script-src 'sha256-");
    html_put(h, "%s'\">\n", text);
}

void page_frame_begin(html *h, const char *title) {
    html_raw(h, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    put_policy(h);
    html_put(h,
             "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
             "<link rel=\"icon\" href=\"data:,\">\n<title>%s</title>\n<style>\n",
             title);
    for (size_t i = 0; i < sizeof style / sizeof style[0]; i++) html_raw(h, style[i]);
    html_raw(h, "</style>\n</head>\n<body>\n<main>\n");
}

void page_frame_end(html *h) {
    html_raw(h, "</main>\n<script>");
    html_raw(h, script);
    html_raw(h, "</script>\n</body>\n</html>\n");
}

void page_frame_put_copied(html *h, const char *text) {
    html_raw(h, "<div class=\"copied\"><pre><code>");
    html_text(h, text, strlen(text)); /* a part of a command would do something else */
    html_raw(h, "</code></pre></div>\n");
}
