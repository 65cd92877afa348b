/* SPDX-License-Identifier: MIT */
#include "canvas_text.h"

#include <string.h>

/*
 * From ' ' to '~'. Lines of points, each point a digit for x (0 to 4) and one for y (0 = top of
 * capitals, 2 = top of small letters, 6 = the line of writing, 8 = what hangs below it). A line
 * of one point is a dot.
 */
static const char *const glyphs[] = {
    "",
    "2024 26",
    "1012 3032",
    "1016 3036 0242 0444",
    "413010010213334445361605 2026",
    "0640 0010110100 3545463635",
    "4612112031320405162644",
    "2022",
    "30212536",
    "10212516",
    "2125 0244 0442",
    "2125 0343",
    "2617",
    "0343",
    "26",
    "0640",
    "103041453616050110 1432",
    "112026 1636",
    "01103041420646",
    "0110304142334445361605 1333",
    "36300444",
    "400002324345361605",
    "4130100105163645443303",
    "00402426",
    "103041423313020110 1304051636454433",
    "4313020110304145361605",
    "22 25",
    "22 2516",
    "410345",
    "0242 0444",
    "014305",
    "0110304142332324 26",
    "4616050110304144242242",
    "062046 1434",
    "030030414233030636454433",
    "4130100105163645",
    "00062644422000",
    "40000646 0333",
    "400006 0333",
    "41301001051636454323",
    "0006 4046 0343",
    "1030 2026 1636",
    "4045361605",
    "0006 400346",
    "000646",
    "0600234046",
    "06004640",
    "103041453616050110",
    "06003041423303",
    "103041453616050110 2446",
    "06003041423303 2346",
    "413010010213334445361605",
    "0040 2026",
    "000516364540",
    "002640",
    "0016233640",
    "0046 4006",
    "002340 2326",
    "00400646",
    "30101636",
    "0046",
    "10303616",
    "022042",
    "0747",
    "1021",
    "12324346 4414051646",
    "0006 0312324345361605",
    "4332120305163645",
    "4046 4332120305163645",
    "044443321203051636",
    "40302126 1242",
    "4332120305163645 4247381807",
    "0006 0312324346",
    "2226 20",
    "222718 20",
    "0006 420446",
    "10202536",
    "0206 03122326 23324346",
    "0206 0312324346",
    "123243453616050312",
    "0208 0312324345361605",
    "4248 4332120305163645",
    "0206 042242",
    "4212031434453606",
    "20253646 1242",
    "0205163645 4246",
    "022642",
    "0216243642",
    "0246 4206",
    "0226 4218",
    "02420646",
    "30212213242536",
    "2028",
    "10212233242516",
    "04133443",
};
enum { ADVANCE = 6, WIDTH = 4, HEIGHT = 6 };
/* Width of a line, in units; never less than a pixel, which would leave gaps in small texts. */
static const float pen = 0.75f;

float cv_text_width(const char *text, float size)
{
    const size_t count = strlen(text);
    return count == 0 ? 0 : (float)(count * ADVANCE - (ADVANCE - WIDTH)) * size / HEIGHT;
}

struct writing {
    struct cv_mesh *mesh;
    struct cv_point at, turn;
    float unit;
    uint32_t color;
};

static struct cv_point place(const struct writing *writing, float x, float y)
{
    const float c = writing->turn.y, s = writing->turn.x;
    return (struct cv_point){ writing->at.x + (x * c - y * s) * writing->unit,
                              writing->at.y + (x * s + y * c) * writing->unit };
}

static void add_glyph(const struct writing *writing, const char *lines, float left)
{
    struct cv_point before = { 0, 0 };
    bool is_first = true;
    for (; *lines != '\0'; lines += 2) {
        if (*lines == ' ') {
            lines++;
            is_first = true;
        }
        const struct cv_point here =
            place(writing, left + (float)(lines[0] - '0'), (float)(lines[1] - '0'));
        const bool is_dot = is_first && (lines[2] == ' ' || lines[2] == '\0');
        if (!is_first || is_dot) {
            cv_mesh_segment(writing->mesh, is_dot ? here : before, here,
                            fmaxf(pen * writing->unit, 1), writing->color);
        }
        before = here;
        is_first = false;
    }
}

void cv_text_add(struct cv_mesh *mesh, const char *text, struct cv_point at, struct cv_point turn,
                 float size, uint32_t color)
{
    const struct writing writing = { mesh, at, turn, size / HEIGHT, color };
    float left = 0;
    for (; *text != '\0'; text++, left += ADVANCE) {
        const char c = *text >= ' ' && *text <= '~' ? *text : '?';
        add_glyph(&writing, glyphs[c - ' '], left);
    }
}
