// SPDX-License-Identifier: GPL-2.0-only
/*
 * Leads from a probe's context to a context that may sleep: closes the gates of connections whose
 * limit is reached, and finishes a transaction whose wait has ended late.
 *
 * A site may be anywhere, also in the workqueue's own code and in NMI handlers, so a site queues
 * an irq_work, which any context may do.
 */
#include <linux/irq_work.h>
#include <linux/workqueue.h>
#include "connect.h"
#include "expiry.h"
#include "quiesce.h"
#include "work.h"

static void close_gates(struct work_struct *work)
{
	marker_disconnect_spent();
}

static DECLARE_WORK(expiry_work, close_gates);

static void queue_expiry(struct irq_work *work)
{
	queue_work(marker_work_queue, &expiry_work);
}

static DEFINE_IRQ_WORK(expiry_irq_work, queue_expiry);

static void notrace spent(void)
{
	irq_work_queue(&expiry_irq_work);
}

static void ended_late(void)
{
	queue_work(marker_work_queue, &expiry_work);
}

void marker_expiry_init(void)
{
	marker_guard_spent = spent;
	marker_quiesce_late = ended_late;
}

void marker_expiry_exit(void)
{
	irq_work_sync(&expiry_irq_work);
}
